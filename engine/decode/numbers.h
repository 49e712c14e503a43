/*
 * numbers - system call numbers of each machine.
 *
 * Only the numbers differ between machines; the meaning of the calls is in families/. Values are
 * literal, so that a build with older headers knows newer calls. Tests compare both tables with the
 * headers. Constant data; any thread.
 */
#ifndef DECODE_NUMBERS_H
#define DECODE_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

struct call_numbers {
	const char *machine; /* machine field of uname(2) */
	const char *const *names; /* by number; NULL: unassigned */
	size_t count;
	uint32_t audit_machine; /* AUDIT_ARCH_… of linux/audit.h */
};

extern const struct call_numbers x86_64_numbers, aarch64_numbers;

/* Return the numbers of the machine that this program was built for. */
static inline const struct call_numbers *call_numbers_here(void)
{
#if defined(__aarch64__)
	return &aarch64_numbers;
#else
	return &x86_64_numbers;
#endif
}

#endif
