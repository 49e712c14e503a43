#include "widgets/terminal/screen_input.h"

#include "engine/base/clock.h"
#include "widgets/terminal/screen_private.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

/* Number of bytes of a long paste per call, so that other work of the caller gets its turn. */
#define BYTES_AT_ONCE 1024

int screen_input_fd(const struct screen *screen)
{
	return screen->in_fd;
}

/* Read the bytes from the terminal. 0: no byte before the timeout, -1: the terminal is gone. */
static int take_bytes(struct screen *screen, int timeout_ms)
{
	struct pollfd poll_fd = { .fd = screen->in_fd, .events = POLLIN };
	unsigned char bytes[BYTES_AT_ONCE];
	ssize_t n;

	if (poll(&poll_fd, 1, timeout_ms) <= 0)
		return 0;
	if (!(poll_fd.revents & POLLIN))
		return -1;
	n = read(screen->in_fd, bytes, sizeof(bytes));
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return 0;
	if (n <= 0)
		return -1;
	input_parser_put(&screen->parser, bytes, (size_t)n, clock_now_ns());
	return 1;
}

bool screen_input_next(struct screen *screen, struct input_event *event)
{
	struct input_parser *parser = &screen->parser;
	bool settled = false, has_read = false;

	*event = (struct input_event){ .kind = EVENT_NONE };
	if (screen->suspended)
		return false;
	if (screen_check_size(screen)) {
		event->kind = EVENT_RESIZE;
		return true;
	}
	for (;;) {
		bool waits;

		if (input_parser_next(parser, event, clock_now_ns()))
			return true;
		/* The terminal stays readable, so poll() wakes the caller again. */
		if (settled || (has_read && parser->pasting))
			return false;
		waits = input_parser_waits(parser);
		switch (take_bytes(screen, waits ? INPUT_PARSER_WAIT_MS : 0)) {
		case 0:
			if (!waits)
				return false;
			input_parser_settle(parser);
			settled = true;
			break;
		case -1:
			event->kind = EVENT_HANGUP;
			return true;
		default:
			has_read = true;
			break;
		}
	}
}
