/*
 * changes load LIBRARY FUNCTION... - loads libraries one after the other at the same address and
 * waits in the function of each. changes reuse PROGRAM... - runs programs one after the other with
 * the same pid. changes exec PROGRAM - waits and executes the program.
 */
#include <dlfcn.h>
#include <errno.h>
#include <linux/sched.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS 10
#define SKIPPED 77 /* exit status: this kernel or user cannot choose a pid */

static int wait_in(const char *library, const char *function)
{
	void *loaded = dlopen(library, RTLD_NOW);
	int (*wait)(int), sum = 0;

	if (!loaded)
		return 1;
	*(void **)&wait = dlsym(loaded, function);
	for (int i = 0; wait && i < ROUNDS; i++)
		sum += wait(i);
	dlclose(loaded);
	return sum == 0;
}

static int start_as(pid_t pid, const char *program)
{
	struct clone_args args = {
		.exit_signal = SIGCHLD,
		.set_tid = (uintptr_t)&pid,
		.set_tid_size = 1,
	};
	long child;
	int status;

	/* Wait until the pid is free again. */
	do
		child = syscall(SYS_clone3, &args, sizeof(args));
	while (child < 0 && errno == EEXIST && poll(NULL, 0, 1) == 0);
	if (child < 0)
		return SKIPPED;
	if (child == 0) {
		execl(program, program, (char *)NULL);
		_exit(1);
	}
	return waitpid((pid_t)child, &status, 0) == child ? WEXITSTATUS(status) : 1;
}

/* Return a free pid that is unlikely to be assigned soon. */
static pid_t free_number(void)
{
	pid_t pid = getpid() > 20000 ? 12345 : 31234;

	while (access("/proc", F_OK) == 0) {
		char path[32];

		snprintf(path, sizeof(path), "/proc/%d", --pid);
		if (access(path, F_OK) < 0)
			break;
	}
	return pid;
}

int main(int argc, char **argv)
{
	pid_t pid = free_number();
	int code = 0;

	if (argc > 2 && !strcmp(argv[1], "exec")) {
		poll(NULL, 0, 1);
		execl(argv[2], argv[2], (char *)NULL);
		return 1;
	}
	for (int i = 2; i < argc && !code; i++) {
		if (!strcmp(argv[1], "reuse"))
			code = start_as(pid, argv[i]);
		else if (i + 1 < argc && i % 2 == 0)
			code = wait_in(argv[i], argv[i + 1]);
	}
	return code;
}
