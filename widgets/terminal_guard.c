#include "widgets/terminal_guard.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

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
	size_t done = 0;

	if (!guard.armed)
		return;
	guard.armed = 0;
	while (done < guard.len) {
		ssize_t n = write(guard.fd, guard.bytes + done, guard.len - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		done += (size_t)n;
	}
	if (guard.has_modes)
		tcsetattr(guard.fd, TCSANOW, &guard.modes);
	errno = saved;
}
