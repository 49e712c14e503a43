#include "tui/app/pipe_drain.h"

#include "engine/base/guard_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/types.h>
#include <unistd.h>

#define PIPE_FD GUARD_PROCESS_FD
#define OWNER_FD (GUARD_PROCESS_FD + 1)
#define READ_BYTES 16384

/* Must not allocate: see guard_process_fork(). */
static void drain(void *ctx)
{
	struct pollfd fd = { .fd = OWNER_FD };
	char bytes[READ_BYTES];
	ssize_t got;

	(void)ctx;
	/* The guard can run for days: do not keep a file system busy. */
	if (chdir("/"))
		errno = 0;
	while (poll(&fd, 1, -1) < 0 && errno == EINTR)
		;
	fd = (struct pollfd){ .fd = PIPE_FD, .events = POLLIN };
	for (;;) {
		got = read(PIPE_FD, bytes, sizeof(bytes));
		if (!got || (got < 0 && errno != EAGAIN && errno != EINTR))
			return;
		if (got < 0)
			poll(&fd, 1, -1);
	}
}

int pipe_drain_new(int pipe_fd)
{
	int ends[2], fds[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	fds[0] = pipe_fd;
	fds[1] = ends[0];
	pid = guard_process_fork("output-drain", fds, 2, drain, NULL);
	close(ends[0]);
	if (pid >= 0)
		return ends[1];
	close(ends[1]);
	return pid;
}

bool pipe_drain_is_needed(int pipe_fd)
{
	struct pollfd fd = { .fd = pipe_fd, .events = POLLIN };

	return poll(&fd, 1, 0) >= 0 && !(fd.revents & (POLLHUP | POLLNVAL));
}
