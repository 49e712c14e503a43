/*
 * perfdata_input - the bytes of a recording, from a file or a pipe.
 *
 * The input is read in pieces, so large files, and files truncated during the read, are safe.
 * Memory is bounded by the bytes requested at once. A pipe delivers its bytes in order and can be
 * empty for now. Ready bytes are in a block (perfdata_blocks.h). A record stays there as long as
 * the block counts it as live. Release all live records before perfdata_input_close(). One thread.
 */
#ifndef RECORDING_PERFDATA_INPUT_H
#define RECORDING_PERFDATA_INPUT_H

#include "engine/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perfdata_input;

enum perfdata_input_state {
	PERFDATA_INPUT_READY,
	PERFDATA_INPUT_WAIT, /* a pipe has no more bytes yet */
	PERFDATA_INPUT_END, /* no more bytes will follow */
};

/* fd > 0: read this open descriptor, borrowed; `path` is then only its name in messages. */
int perfdata_input_open(struct perfdata_input **input, const char *path, int fd, struct err *err);
void perfdata_input_close(struct perfdata_input *input);

int perfdata_input_fd(const struct perfdata_input *input); /* borrowed */
bool perfdata_input_is_pipe(const struct perfdata_input *input);
/* Return the size of a file in bytes, at open or at the last perfdata_input_update_size(). */
uint64_t perfdata_input_size(const struct perfdata_input *input);
/*
 * Read the size of a file again. Call after reading a header: a recorder can have updated the
 * header after the open, so that its offsets exceed the first size.
 */
void perfdata_input_update_size(struct perfdata_input *input);
/* Return the errno of a failed read; 0: no read failed. */
int perfdata_input_errno(const struct perfdata_input *input);
/* True if a file ended before its expected end: it was truncated during the read. */
bool perfdata_input_was_cut(const struct perfdata_input *input);

/*
 * Copy a range of a file, for the caller to free(). NULL: out of range, unreadable or larger than
 * `max`.
 */
char *perfdata_input_section(struct perfdata_input *input, uint64_t offset, uint64_t size,
			     uint64_t max);

/* Set the position in a file, and the end of reading. */
void perfdata_input_go(struct perfdata_input *input, uint64_t offset, uint64_t end);
uint64_t perfdata_input_left(const struct perfdata_input *input); /* UINT64_MAX for a pipe */
/* Return the offset of the next byte. */
uint64_t perfdata_input_at(const struct perfdata_input *input);

/*
 * Make the next bytes (at most PERFDATA_INPUT_MAX) available in one piece, borrowed until the next
 * call. Modulo 8, their address equals their distance from the position of the last
 * perfdata_input_go() or perfdata_input_align(). PERFDATA_INPUT_END: fewer bytes remain.
 */
#define PERFDATA_INPUT_MAX ((size_t)128 << 10)
enum perfdata_input_state perfdata_input_need(struct perfdata_input *input, size_t bytes,
					      const char **at);
/*
 * Skip `passed` ready bytes, at most PERFDATA_INPUT_MAX. Return the address of the bytes after
 * them, aligned as above; *bytes: how many of these are ready without a read.
 */
const char *perfdata_input_ready(struct perfdata_input *input, size_t passed, size_t *bytes);
void perfdata_input_align(struct perfdata_input *input); /* align the next byte to 8 */
/* Skip any number of bytes; they need not be ready. */
void perfdata_input_skip(struct perfdata_input *input, uint64_t bytes);

/*
 * Wait until a pipe has bytes or ends, or until wake_fd (-1: none) is readable. 1: the pipe is
 * ready or this is a file. 0: timeout, wake_fd or a signal. Otherwise -errno.
 */
int perfdata_input_wait(struct perfdata_input *input, int wake_fd, int timeout_ms);

#endif
