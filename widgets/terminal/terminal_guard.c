#include "widgets/terminal/terminal_guard.h"

#include "engine/base/guard_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>

/* Maximum time of a write, also after a crash. Short, as the terminal is perhaps not read. */
#define TERMINAL_WAIT_MS 500
#define TRIES 50

struct guard {
	volatile sig_atomic_t armed; /* 2: restore in progress */
	int fd;
	int has_modes;
	struct termios modes, raw;
	char bytes[TERMINAL_GUARD_BYTES];
	size_t len;
};

/* `guard` points to `alone`, or to memory shared with the guard process. */
static struct guard alone;
static struct guard *guard = &alone;
static struct {
	pid_t pid; /* 0: none */
	int fd; /* its closing signals the end of this process */
} watcher;

void terminal_guard_init(int fd)
{
	guard->armed = 0;
	guard->fd = fd;
	guard->has_modes = tcgetattr(fd, &guard->modes) == 0;
	guard->len = 0;
	guard->raw = guard->modes;
	guard->raw.c_iflag &= ~(tcflag_t)(BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL | IXON);
	guard->raw.c_oflag &= ~(tcflag_t)OPOST; /* curses handles line feeds */
	guard->raw.c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | ISIG | IEXTEN);
	guard->raw.c_cc[VMIN] = 1;
	guard->raw.c_cc[VTIME] = 0;
}

void terminal_guard_add(const char *bytes)
{
	while (bytes && *bytes && guard->len < sizeof(guard->bytes)) {
		if (bytes[0] == '$' && bytes[1] == '<' && strchr(bytes, '>'))
			bytes = strchr(bytes, '>') + 1;
		else
			guard->bytes[guard->len++] = *bytes++;
	}
}

void terminal_guard_set_raw(void)
{
	if (guard->has_modes)
		tcsetattr(guard->fd, TCSANOW, &guard->raw);
}

void terminal_guard_set_back(void)
{
	if (guard->has_modes)
		tcsetattr(guard->fd, TCSANOW, &guard->modes);
}

void terminal_guard_arm(void)
{
	guard->armed = 1;
}

void terminal_guard_disarm(void)
{
	guard->armed = 0;
}

static void write_bytes(int fd)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLOUT };
	size_t done = 0;

	for (int tries = 0;
	     tries < TRIES && done < guard->len && poll(&poll_fd, 1, TERMINAL_WAIT_MS) == 1;
	     tries++) {
		ssize_t n = write(fd, guard->bytes + done, guard->len - done);

		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n <= 0)
			break;
		done += (size_t)n;
	}
}

void terminal_guard_restore(void)
{
	int saved = errno;

	if (guard->armed != 1)
		return;
	guard->armed = 2;
	write_bytes(guard->fd);
	terminal_guard_set_back();
	guard->armed = 0;
	errno = saved;
}

/* ---- guard process ---- */

enum { END_FD = GUARD_PROCESS_FD, TERMINAL_FD };

/*
 * Open the terminal again, non-blocking: the inherited file description is shared with the shell.
 */
static int open_terminal(void)
{
	int own = open("/proc/self/fd/4", O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	return own < 0 ? TERMINAL_FD : own;
}

static bool is_raw(const struct termios *modes)
{
	return modes->c_iflag == guard->raw.c_iflag && modes->c_oflag == guard->raw.c_oflag &&
	       modes->c_lflag == guard->raw.c_lflag;
}

/*
 * Restore the modes only if the screen modes are still set: a waiting shell can have set its own
 * modes already.
 */
static void restore_for_killed(int fd)
{
	struct termios now;

	if (guard->has_modes && !tcgetattr(fd, &now) && is_raw(&now))
		tcsetattr(fd, TCSANOW, &guard->modes);
	write_bytes(fd);
}

static void watch(void *ctx)
{
	char byte;
	ssize_t got;

	(void)ctx;
	do
		got = read(END_FD, &byte, sizeof(byte));
	while (got < 0 && errno == EINTR);
	if (guard->armed)
		restore_for_killed(open_terminal());
}

pid_t terminal_guard_watch(void)
{
	struct guard *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
				    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int ends[2];
	pid_t pid;

	if (shared == MAP_FAILED)
		return 0;
	if (pipe2(ends, O_CLOEXEC)) {
		munmap(shared, sizeof(*shared));
		return 0;
	}
	/* `shared` stays mapped, since a signal handler can use it at any time. */
	guard = shared;
	pid = guard_process_fork("tty-guard", (const int[]){ ends[0], STDOUT_FILENO }, 2, watch,
				 NULL);
	close(ends[0]);
	if (pid < 0) {
		close(ends[1]);
		return 0;
	}
	watcher.pid = pid;
	watcher.fd = ends[1];
	return pid;
}

void terminal_guard_unwatch(void)
{
	if (!watcher.pid)
		return;
	close(watcher.fd);
	guard_process_join(watcher.pid);
	watcher.pid = 0;
}
