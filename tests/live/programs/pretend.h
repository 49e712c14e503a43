/*
 * pretend - calls that return 0 and do nothing: what they would have filled in is what the
 * program has put there itself, for results that no machine at hand can give.
 *
 * A seccomp filter answers those with MARK as their sixth argument. Only a tracer that stops
 * the program sees their arguments: the kernel's own events tell of nothing but their end.
 */
#ifndef PROGRAMS_PRETEND_H
#define PROGRAMS_PRETEND_H

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PRETEND_MARK 0x7777
#define PRETEND_BYTES 65536
/*
 * Many calls get an address for a number. It is the same one in every run, also where nobody may
 * turn off that the kernel places memory at random, so the text of these numbers is the same too.
 */
#define PRETEND_AT 0x200000000

static inline void pretend_from_now(void)
{
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[5])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PRETEND_MARK, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = { sizeof(rules) / sizeof(rules[0]), rules };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter)) {
		perror("seccomp");
		exit(1);
	}
}

static inline void *pretend_memory(void)
{
	void *memory = mmap((void *)PRETEND_AT, PRETEND_BYTES, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	if (memory == MAP_FAILED) {
		perror("mmap");
		exit(1);
	}
	return memory;
}

/* Numbers and pointers alike. */
#define pretend(nr, a, b, c, d, e) \
	syscall((nr), (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)PRETEND_MARK)

#endif
