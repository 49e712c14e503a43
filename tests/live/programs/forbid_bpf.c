/*
 * forbid_bpf COMMAND ERRNO PROGRAM [ARG...] - runs a program under a seccomp filter that makes one
 * command of bpf(2) fail, as in a container. COMMAND is the number of a command in linux/bpf.h (-1:
 * every command), ERRNO a number of errno.h.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int command = argc > 3 ? atoi(argv[1]) : 0, error = argc > 3 ? atoi(argv[2]) : 0;
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_bpf, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned int)command, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned int)error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = sizeof(filter) / sizeof(filter[0]), .filter = filter };

	if (argc < 4) {
		fprintf(stderr, "usage: forbid_bpf COMMAND ERRNO PROGRAM [ARG...]\n");
		return 2;
	}
	/* Replace the test of the command by a jump that is always taken. */
	if (command < 0)
		filter[3] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JA, 0, 0, 0);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
		perror("seccomp");
		return 3;
	}
	execvp(argv[3], argv + 3);
	perror(argv[3]);
	return 4;
}
