/*
 * numbers - which number a machine gives to each system call.
 *
 * The one place of them that differs between machines; what the calls mean is in
 * families/. Literal, so that a build on older headers knows newer calls; tests
 * compare both tables with the headers. Constant data; any thread.
 */
#ifndef DECODE_NUMBERS_H
#define DECODE_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

struct call_numbers {
	const char *machine; /* as uname(2) says it */
	const char *const *names; /* by number; NULL: no call has it */
	size_t count;
	uint32_t audit_machine; /* AUDIT_ARCH_… of linux/audit.h */
};

extern const struct call_numbers x86_64_numbers, aarch64_numbers;

/* Those of the machine that this was built for. */
static inline const struct call_numbers *call_numbers_here(void)
{
#if defined(__aarch64__)
	return &aarch64_numbers;
#else
	return &x86_64_numbers;
#endif
}

#endif
