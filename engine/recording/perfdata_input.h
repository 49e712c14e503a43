/*
 * perfdata_input - the bytes of a recording, from a file or out of a pipe.
 *
 * Read in pieces, so that neither a file of any size nor one that is cut while it is read can
 * do harm: memory is bounded by what is asked for at once. A pipe gives its bytes in order and
 * may let wait. What is ready is in a block (perfdata_blocks.h), and a record stays there as long
 * as somebody counts it among the live ones, which is over before perfdata_input_close(). One
 * thread.
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
	PERFDATA_INPUT_WAIT, /* a pipe has no more now */
	PERFDATA_INPUT_END, /* nor will there be */
};

/* fd > 0: it is open already, borrowed, and `path` is what to call it. */
int perfdata_input_open(struct perfdata_input **input, const char *path, int fd, struct err *err);
void perfdata_input_close(struct perfdata_input *input);

int perfdata_input_fd(const struct perfdata_input *input); /* borrowed */
bool perfdata_input_is_pipe(const struct perfdata_input *input);
/* Of a file: bytes when it was opened or perfdata_input_update_size() was called last. */
uint64_t perfdata_input_size(const struct perfdata_input *input);
/*
 * Reads the size of a file again. Call it after a header that a recorder may have updated in the
 * meantime: its offsets can lie behind the size at open.
 */
void perfdata_input_update_size(struct perfdata_input *input);
/* What reading failed with; 0: it did not, the end is the end. */
int perfdata_input_errno(const struct perfdata_input *input);
/* Of a file: it ended before perfdata_input_size(). */
bool perfdata_input_was_cut(const struct perfdata_input *input);

/* Of a file: these bytes, the caller's to free(); NULL: they are not there, or over `max`. */
char *perfdata_input_section(struct perfdata_input *input, uint64_t offset, uint64_t size,
			     uint64_t max);

/* Of a file: what is read next, and where it ends. */
void perfdata_input_go(struct perfdata_input *input, uint64_t offset, uint64_t end);
uint64_t perfdata_input_left(const struct perfdata_input *input); /* UINT64_MAX of a pipe */
uint64_t perfdata_input_at(
	const struct perfdata_input *input); /* bytes in front of what comes next */

/*
 * Makes the next bytes (at most PERFDATA_INPUT_MAX) ready in one piece, borrowed until the next
 * call. Their address has the alignment to 8 that they have behind where perfdata_input_go() or
 * perfdata_input_align() was called last. PERFDATA_INPUT_END: there are fewer than that.
 */
#define PERFDATA_INPUT_MAX ((size_t)128 << 10)
enum perfdata_input_state perfdata_input_need(struct perfdata_input *input, size_t bytes,
					      const char **at);
/*
 * Passes over so many bytes that are ready; then *bytes are ready without reading, at the address
 * that it returns, aligned as above. Of no more than PERFDATA_INPUT_MAX that are passed.
 */
const char *perfdata_input_ready(struct perfdata_input *input, size_t passed, size_t *bytes);
void perfdata_input_align(struct perfdata_input *input); /* what comes next is to be aligned */
/* Passes over them, however many; they need not be ready. */
void perfdata_input_skip(struct perfdata_input *input, uint64_t bytes);

/* Waits for a pipe's next bytes or its end, or for wake_fd (-1: none). 1: there are, 0, -errno. */
int perfdata_input_wait(struct perfdata_input *input, int wake_fd, int timeout_ms);

#endif
