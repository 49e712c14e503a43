#include "tui/output.h"

#include "engine/base/escape.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#define PUSH_BYTES (256u << 10)

int output_open(struct output *output, const char *path, int fd, const char *name,
		struct err *err)
{
	char shown[128];

	memset(output, 0, sizeof(*output));
	str_init(&output->text);
	output->fd = fd;
	output->name = name;
	if (!path)
		return 0;
	output->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (output->fd < 0)
		return err_set(err, -errno, "cannot write %s: %s",
			       escape_name(shown, sizeof(shown), path), strerror(errno));
	output->owns_fd = true;
	output->name = path;
	return 0;
}

/* Ends the output; a reader that left needs no sentence. */
static void fail(struct output *output, int code)
{
	char shown[128];

	output->ended = true;
	str_clear(&output->text);
	if (code != EPIPE)
		err_set(&output->err, -code, "cannot write %s: %s",
			escape_name(shown, sizeof(shown), output->name), strerror(code));
}

void output_flush(struct output *output)
{
	size_t at = 0;

	while (!output->ended && at < output->text.len) {
		ssize_t wrote = write(output->fd, output->text.data + at, output->text.len - at);

		if (wrote >= 0)
			at += (size_t)wrote;
		else if (errno == EAGAIN)
			poll(&(struct pollfd){ .fd = output->fd, .events = POLLOUT }, 1, -1);
		else if (errno != EINTR)
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
	/* A file system over the network may say only now that its disk is full. */
	if (output->owns_fd && close(output->fd) < 0 && !output->ended)
		fail(output, errno);
	output->owns_fd = false;
	if (output->err.text[0])
		rc = err_set(err, -EIO, "%s", output->err.text);
	return rc;
}
