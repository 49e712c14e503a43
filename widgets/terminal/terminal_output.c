#include "widgets/terminal/terminal_output.h"

#include "engine/base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

static bool is_same_terminal(int a, int b)
{
	unsigned int device_a, device_b;

	return !ioctl(a, TIOCGDEV, &device_a) && !ioctl(b, TIOCGDEV, &device_b) &&
	       device_a == device_b;
}

/* Open the file of fd again, or the controlling terminal if the file belongs to another user. */
static int open_again(int fd)
{
	char path[40];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	for (int i = 0; i < 2; i++) {
		int own = open(i ? "/dev/tty" : path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

		if (own < 0)
			continue;
		if (is_same_terminal(own, fd))
			return own;
		close(own);
	}
	return -1;
}

void terminal_output_init(struct terminal_output *output, int fd)
{
	int own = open_again(fd);

	*output = (struct terminal_output){
		.fd = own >= 0 ? own : fd,
		.is_own = own >= 0,
		.bytes = STR_INIT,
	};
}

void terminal_output_release(struct terminal_output *output)
{
	if (output->is_own)
		close(output->fd);
	output->is_own = false;
	str_release(&output->bytes);
}

void terminal_output_add(struct terminal_output *output, const char *bytes, size_t len)
{
	str_addn(&output->bytes, bytes, len);
}

void terminal_output_drop(struct terminal_output *output)
{
	str_clear(&output->bytes);
	output->sent = 0;
}

bool terminal_output_send(struct terminal_output *output)
{
	while (output->sent < output->bytes.len) {
		ssize_t n = write(output->fd, output->bytes.data + output->sent,
				  output->bytes.len - output->sent);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return false;
		if (n <= 0)
			break; /* the terminal is gone; reading from it will report that */
		output->sent += (size_t)n;
	}
	terminal_output_drop(output);
	return true;
}

bool terminal_output_drain(struct terminal_output *output, int timeout_ms)
{
	uint64_t end = clock_now_ns() + (uint64_t)timeout_ms * NS_PER_MS;

	while (!terminal_output_send(output)) {
		struct pollfd poll_fd = { .fd = output->fd, .events = POLLOUT };
		uint64_t now = clock_now_ns();

		if (now >= end)
			return false;
		poll(&poll_fd, 1, (int)((end - now) / NS_PER_MS) + 1);
	}
	return true;
}
