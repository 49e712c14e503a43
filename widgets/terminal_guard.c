#include "widgets/terminal_guard.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

/* For a terminal that is not read, in a program that has crashed. */
#define PATIENCE_MS 500
#define TRIES 50

static struct {
	volatile sig_atomic_t armed;
	int fd;
	int has_modes;
	struct termios modes;
	char bytes[TERMINAL_GUARD_BYTES];
	size_t len;
} guard;

void terminal_guard_init(int fd)
{
	guard.armed = 0;
	guard.fd = fd;
	guard.has_modes = tcgetattr(fd, &guard.modes) == 0;
	guard.len = 0;
}

void terminal_guard_add(const char *bytes)
{
	while (bytes && *bytes && guard.len < sizeof(guard.bytes)) {
		if (bytes[0] == '$' && bytes[1] == '<' && strchr(bytes, '>'))
			bytes = strchr(bytes, '>') + 1;
		else
			guard.bytes[guard.len++] = *bytes++;
	}
}

void terminal_guard_set_raw(void)
{
	struct termios raw = guard.modes;

	raw.c_iflag &= ~(tcflag_t)(BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL | IXON);
	raw.c_oflag &= ~(tcflag_t)OPOST; /* curses knows what a line feed is */
	raw.c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | ISIG | IEXTEN);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	if (guard.has_modes)
		tcsetattr(guard.fd, TCSANOW, &raw);
}

void terminal_guard_set_back(void)
{
	if (guard.has_modes)
		tcsetattr(guard.fd, TCSANOW, &guard.modes);
}

void terminal_guard_arm(void)
{
	guard.armed = 1;
}

void terminal_guard_disarm(void)
{
	guard.armed = 0;
}

void terminal_guard_restore(void)
{
	int saved = errno;
	struct pollfd poll_fd = { .fd = guard.fd, .events = POLLOUT };
	size_t done = 0;

	if (!guard.armed)
		return;
	guard.armed = 0;
	for (int tries = 0; tries < TRIES && done < guard.len &&
	     poll(&poll_fd, 1, PATIENCE_MS) == 1; tries++) {
		ssize_t n = write(guard.fd, guard.bytes + done, guard.len - done);

		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n <= 0)
			break;
		done += (size_t)n;
	}
	terminal_guard_set_back();
	errno = saved;
}
