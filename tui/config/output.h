/*
 * output - buffered writer to a file, pipe or terminal.
 *
 * Callers append to `text`, which is written when it is large or on flush. A reader that closed the
 * pipe is not an error: the remaining text is dropped silently and output_ended() returns true. Any
 * other error is reported once. One thread.
 */
#ifndef CONFIG_OUTPUT_H
#define CONFIG_OUTPUT_H

#include "engine/base/err.h"
#include "engine/base/str.h"

#include <stdbool.h>

struct output {
	struct str text; /* callers add here, then call output_push() */
	int fd;
	int unblocked_fd; /* the same pipe or terminal with O_NONBLOCK, or equal to fd */
	bool sends; /* fd is a socket */
	bool owns_fd;
	int cancel_fd; /* see output_cancel_on(); -1: none */
	bool ended; /* no further writes are possible */
	const char *name; /* for messages */
	struct err err; /* why it ended; empty if the reader closed the pipe */
};

/* True if a file of this name is written as a recording: *.data, as perf names its files. */
bool output_is_recording(const char *path);

/* Open the output. path NULL: use fd, which the caller owns and `name` describes. */
int output_open(struct output *output, const char *path, int fd, const char *name, struct err *err);
/* Flush and close. -errno with a message if a write failed. */
int output_close(struct output *output, struct err *err);

/*
 * Set a cancel descriptor, borrowed. Once it is readable, writing stops if the reader accepts
 * nothing for a second: the remaining text is dropped with a message. Without a cancel descriptor,
 * a write can block forever.
 */
void output_cancel_on(struct output *output, int fd);

void output_push(struct output *output); /* write if `text` is large */
void output_flush(struct output *output); /* write everything */

static inline bool output_ended(const struct output *output)
{
	return output->ended;
}

#endif
