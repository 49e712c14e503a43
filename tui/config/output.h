/*
 * output - a file, pipe or terminal that lines are written to in big pieces.
 *
 * Text is added to `text` and written when there is much of it, or on flush. A
 * reader that went away is no error: the rest is dropped in silence and
 * output_ended() says so. Anything else that fails is a sentence, once. One
 * thread.
 */
#ifndef CONFIG_OUTPUT_H
#define CONFIG_OUTPUT_H

#include "engine/base/err.h"
#include "engine/base/str.h"

#include <stdbool.h>

struct output {
	struct str text; /* callers add here, then call output_push() */
	int fd;
	int unblocked_fd; /* the same pipe or terminal, which keeps nobody waiting; or fd */
	bool sends; /* a socket */
	bool owns_fd;
	int cancel_fd; /* see output_cancel_on(); -1: none */
	bool ended; /* nothing can be written any more */
	const char *name; /* for sentences */
	struct err err; /* why it ended; empty if only its reader left */
};

/* Whether a file of that name is written as a recording: perf's own name for them. */
bool output_is_recording(const char *path);

/* path NULL: fd, which stays the caller's and is called `name`. */
int output_open(struct output *output, const char *path, int fd, const char *name, struct err *err);
/* Flushes and closes. -errno with a sentence if anything could not be written. */
int output_close(struct output *output, struct err *err);

/*
 * When fd, which is borrowed, is readable, a reader that takes nothing for a second is given up:
 * the rest is dropped with a sentence. Without it a write waits for as long as it takes.
 */
void output_cancel_on(struct output *output, int fd);

void output_push(struct output *output); /* writes if there is much */
void output_flush(struct output *output); /* writes all */

static inline bool output_ended(const struct output *output)
{
	return output->ended;
}

#endif
