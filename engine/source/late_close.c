#include "engine/source/late_close.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int by_number(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void close_range_of(unsigned int first, unsigned int last)
{
	if (first <= last)
		syscall(SYS_close_range, first, last, 0);
}

/*
 * In a copy of a process that may have had threads: system calls alone. What others wait for,
 * as the end of what we write, must not stay open.
 */
static void close_in_child(const int *fds, size_t count)
{
	unsigned int next = 0;

	for (size_t i = 0; i < count; i++) {
		if (fds[i])
			close_range_of(next, (unsigned int)fds[i] - 1);
		next = (unsigned int)fds[i] + 1;
	}
	close_range_of(next, ~0u);
	for (size_t i = 0; i < count; i++)
		close(fds[i]);
}

/* The child's child does it, which is nobody's to wait for. */
static void leave_to_child(const int *fds, size_t count)
{
	sigset_t all, before;
	pid_t pid;

	/* No handler of ours runs there. */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	pid = fork();
	if (!pid) {
		if (!fork())
			close_in_child(fds, count);
		_exit(0);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		continue;
}

void late_close(int *fds, size_t count)
{
	if (!count)
		return;
	qsort(fds, count, sizeof(*fds), by_number);
	leave_to_child(fds, count);
	/* Where there is no child, these take their time. */
	for (size_t i = 0; i < count; i++)
		close(fds[i]);
}
