#include "tui/config/output.h"

#include "engine/base/escape.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define PUSH_BYTES (256u << 10)
#define CANCEL_MS 1000

bool output_is_recording(const char *path)
{
	size_t len = strlen(path), end = strlen(".data");

	return len > end && !strcmp(path + len - end, ".data");
}

int output_open(struct output *output, const char *path, int fd, const char *name, struct err *err)
{
	char shown[128];

	memset(output, 0, sizeof(*output));
	str_init(&output->text);
	output->fd = output->unblocked_fd = fd;
	output->cancel_fd = -1;
	output->name = name;
	if (!path)
		return 0;
	output->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	output->unblocked_fd = output->fd;
	if (output->fd < 0)
		return err_set(err, -errno, "cannot write %s: %s",
			       escape_name(shown, sizeof(shown), path), strerror(errno));
	output->owns_fd = true;
	output->name = path;
	return 0;
}

/*
 * O_NONBLOCK is a flag of the open file description, which other processes can share. A pipe or a
 * terminal is therefore opened again. If that fails, writes block.
 */
void output_cancel_on(struct output *output, int fd)
{
	char path[32];
	struct stat status;
	int opened;

	output->cancel_fd = fd;
	if (output->unblocked_fd != output->fd || fstat(output->fd, &status) < 0)
		return;
	output->sends = S_ISSOCK(status.st_mode);
	if (!S_ISFIFO(status.st_mode) && !isatty(output->fd))
		return;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", output->fd);
	opened = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (opened >= 0)
		output->unblocked_fd = opened;
}

/* End the output. EPIPE: the reader closed it, which needs no message. */
static void fail(struct output *output, int code)
{
	char shown[128];

	output->ended = true;
	str_clear(&output->text);
	if (code != EPIPE)
		err_set(&output->err, -code, "cannot write %s: %s",
			escape_name(shown, sizeof(shown), output->name),
			code == EBADF ? "it is closed" : strerror(code));
}

/* Wait until the reader accepts data again. False: give up. */
static bool wait_for_reader(struct output *output)
{
	struct pollfd fds[] = {
		{ .fd = output->unblocked_fd, .events = POLLOUT },
		{ .fd = output->cancel_fd, .events = POLLIN },
	};

	poll(fds, 2, -1);
	if (fds[0].revents || !fds[1].revents)
		return true;
	return poll(fds, 1, CANCEL_MS) != 0;
}

static ssize_t write_some(const struct output *output, const char *data, size_t len)
{
	if (output->sends)
		return send(output->fd, data, len, MSG_DONTWAIT | MSG_NOSIGNAL);
	return write(output->unblocked_fd, data, len);
}

/* If standard error blocks too, it has the same reader: send messages to /dev/null. */
static void free_stderr(void)
{
	struct pollfd out = { .fd = STDERR_FILENO, .events = POLLOUT };
	int nothing;

	if (poll(&out, 1, 0) != 0)
		return;
	nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (nothing >= 0) {
		dup2(nothing, STDERR_FILENO);
		close(nothing);
	}
}

static void give_up(struct output *output, size_t left)
{
	char shown[128];

	fail(output, EPIPE);
	err_set(&output->err, -EAGAIN,
		"cannot write %s: the reader does not read; %zu bytes dropped",
		escape_name(shown, sizeof(shown), output->name), left);
	free_stderr();
}

void output_flush(struct output *output)
{
	size_t at = 0;

	while (!output->ended && at < output->text.len) {
		ssize_t wrote = write_some(output, output->text.data + at, output->text.len - at);

		if (wrote >= 0)
			at += (size_t)wrote;
		else if (errno == EAGAIN && !wait_for_reader(output))
			give_up(output, output->text.len - at);
		else if (errno != EINTR && errno != EAGAIN)
			fail(output, errno);
	}
	str_clear(&output->text);
}

void output_push(struct output *output)
{
	if (output->text.len >= PUSH_BYTES)
		output_flush(output);
}

int output_close(struct output *output, struct err *err)
{
	int rc = 0;

	output_flush(output);
	str_release(&output->text);
	if (output->unblocked_fd != output->fd)
		close(output->unblocked_fd);
	output->unblocked_fd = output->fd;
	/* A network file system can report only on close that the disk is full. */
	if (output->owns_fd && close(output->fd) < 0 && !output->ended)
		fail(output, errno);
	output->owns_fd = false;
	if (output->err.text[0])
		rc = err_set(err, -EIO, "%s", output->err.text);
	return rc;
}
