/*
 * every_call - makes each system call once, by number and without any effect.
 *
 * A seccomp filter makes calls with MARK as their sixth argument fail. Tracers see the calls before
 * the filter does.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MARK 0x7777
#define CALLS 512
/* x86-64 calls 335 and 336 are only for code that the kernel inserts into programs. */
#define IS_PROBE(nr) ((nr) == 335 || (nr) == 336)

int main(void)
{
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[5])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MARK, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = { sizeof(rules) / sizeof(rules[0]), rules };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter)) {
		perror("seccomp");
		return 1;
	}
	for (long nr = 0; nr < CALLS; nr++)
		if (!IS_PROBE(nr))
			syscall(nr, -1L, 0L, 0L, 0L, 0L, (long)MARK);
	return 0;
}
