/*
 * pretend - calls that return 0 without effect. The program itself fills in their output, to show
 * results that this machine cannot produce.
 *
 * A seccomp filter makes calls with MARK as their sixth argument return 0. Only a tracer that stops
 * the program sees their arguments: kernel events report only their exits.
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
 * Tracers print addresses of this memory as numbers. The memory has a fixed address even if address
 * space layout randomization cannot be disabled, so the numbers are the same in every run.
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

/* The arguments are numbers or pointers. */
#define pretend(nr, a, b, c, d, e) \
	syscall((nr), (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)PRETEND_MARK)

#endif
