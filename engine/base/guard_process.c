#include "engine/base/guard_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define JOIN_MS 100
/* First temporary number of the given descriptors, while their final numbers are being freed. */
#define SPARE_FD 64
/* Fields of /proc/PID/stat from `state` to `arg_start`; `arg_end` is next (proc(5)). */
#define FIELDS_TO_ARGUMENTS 45

/* Overwrite the command line, which is memory of the program; the guard has its own copy. */
static void rename_command_line(const char *name)
{
	unsigned long start, end;
	char text[1024], *at;
	int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	if (got <= 0)
		return;
	text[got] = '\0';
	at = strrchr(text, ')');
	for (int i = 0; at && i <= FIELDS_TO_ARGUMENTS; i++)
		at = strchr(at + 1, ' ');
	if (!at)
		return;
	start = strtoul(at, &at, 10);
	end = strtoul(at, NULL, 10);
	if (!start || end <= start)
		return;
	memset((void *)start, 0, end - start);
	if (end - start > strlen(name))
		memcpy((void *)start, name, strlen(name));
}

static void place_fds(const int *fds, size_t fd_count)
{
	int null = open("/dev/null", O_RDWR);

	for (size_t i = 0; i < fd_count; i++)
		dup2(fds[i], SPARE_FD + (int)i);
	for (int i = 0; i < GUARD_PROCESS_FD; i++)
		dup2(null, i);
	for (size_t i = 0; i < fd_count; i++)
		dup2(SPARE_FD + (int)i, GUARD_PROCESS_FD + (int)i);
	if (syscall(SYS_close_range, GUARD_PROCESS_FD + fd_count, ~0U, 0))
		for (int i = GUARD_PROCESS_FD + (int)fd_count; i < (int)sysconf(_SC_OPEN_MAX); i++)
			close(i); /* kernels before 5.9 lack close_range(2) */
}

pid_t guard_process_fork(const char *name, const int *fds, size_t fd_count, void (*run)(void *ctx),
			 void *ctx)
{
	sigset_t all, before;
	pid_t pid;
	int code;

	/* Block signals before the fork, so that the guard never runs with unblocked signals. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pid = fork();
	code = errno;
	if (pid) {
		pthread_sigmask(SIG_SETMASK, &before, NULL);
		return pid < 0 ? -code : pid;
	}
	setsid();
	/* Continue a stopped guard when stxtop exits; a running one ignores SIGCONT. */
	prctl(PR_SET_PDEATHSIG, SIGCONT);
	prctl(PR_SET_NAME, name);
	rename_command_line(name);
	place_fds(fds, fd_count);
	run(ctx);
	_exit(0);
}

void guard_process_join(pid_t pid)
{
	pid_t got = 0;

	kill(pid, SIGCONT);
	for (int ms = 0; !got && ms < JOIN_MS; ms++) {
		got = waitpid(pid, NULL, WNOHANG);
		if (!got)
			poll(NULL, 0, 1);
	}
	if (got)
		return;
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}
