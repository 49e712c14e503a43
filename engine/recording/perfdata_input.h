/*
 * perfdata_input - the bytes of a recording, from a file or out of a pipe.
 *
 * Read in pieces, so that neither a file of any size nor one that is cut while it is read can
 * do harm: memory is bounded by what is asked for at once. A pipe gives its bytes in order and
 * may let wait. What is ready is in a block (perfdata_blocks.h), and a record stays there as long
 * as somebody counts it among the live ones, which is over before perf_input_close(). One thread.
 */
#ifndef RECORDING_PERFDATA_INPUT_H
#define RECORDING_PERFDATA_INPUT_H

#include "engine/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perf_input;

enum perf_input_state {
	PERF_INPUT_READY,
	PERF_INPUT_WAIT, /* a pipe has no more now */
	PERF_INPUT_END, /* nor will there be */
};

/* fd > 0: it is open already, borrowed, and `path` is what to call it. */
int perf_input_open(struct perf_input **input, const char *path, int fd, struct err *err);
void perf_input_close(struct perf_input *input);

int perf_input_fd(const struct perf_input *input); /* borrowed */
bool perf_input_is_pipe(const struct perf_input *input);
/* Of a file: bytes when it was opened or perf_input_update_size() was called last. */
uint64_t perf_input_size(const struct perf_input *input);
/*
 * Reads the size of a file again. Call it after a header that a recorder may have updated in the
 * meantime: its offsets can lie behind the size at open.
 */
void perf_input_update_size(struct perf_input *input);
/* What reading failed with; 0: it did not, the end is the end. */
int perf_input_errno(const struct perf_input *input);
/* Of a file: it ended before perf_input_size(). */
bool perf_input_was_cut(const struct perf_input *input);

/* Of a file: these bytes, the caller's to free(); NULL: they are not there, or over `max`. */
char *perf_input_section(struct perf_input *input, uint64_t offset, uint64_t size, uint64_t max);

/* Of a file: what is read next, and where it ends. */
void perf_input_go(struct perf_input *input, uint64_t offset, uint64_t end);
uint64_t perf_input_left(const struct perf_input *input); /* UINT64_MAX of a pipe */
uint64_t perf_input_at(const struct perf_input *input); /* bytes in front of what comes next */

/*
 * Makes the next bytes (at most PERF_INPUT_MAX) ready in one piece, borrowed until the next
 * call. Their address has the alignment to 8 that they have behind where perf_input_go() or
 * perf_input_align() was called last. PERF_INPUT_END: there are fewer than that.
 */
#define PERF_INPUT_MAX ((size_t)128 << 10)
enum perf_input_state perf_input_need(struct perf_input *input, size_t bytes, const char **at);
/*
 * Passes over so many bytes that are ready; then *bytes are ready without reading, at the address
 * that it returns, aligned as above. Of no more than PERF_INPUT_MAX that are passed.
 */
const char *perf_input_ready(struct perf_input *input, size_t passed, size_t *bytes);
void perf_input_align(struct perf_input *input); /* what comes next is to be aligned */
/* Passes over them, however many; they need not be ready. */
void perf_input_skip(struct perf_input *input, uint64_t bytes);

/* Waits for a pipe's next bytes or its end, or for wake_fd (-1: none). 1: there are, 0, -errno. */
int perf_input_wait(struct perf_input *input, int wake_fd, int timeout_ms);

#endif
