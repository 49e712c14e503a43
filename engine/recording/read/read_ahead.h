/*
 * read_ahead - a thread that reads a recording while the collector takes what was read before.
 *
 * Reading, unpacking, ordering and decoding take about as long as the model takes for the same
 * records, so with a thread for each half a recording is read in half the time. Records go
 * through a queue of fixed size: who is ahead waits. They come in slices, and the collector
 * settles its model behind each, so that a file gives the same whoever is faster.
 *
 * What is read is the thread's alone between read_ahead_start() and read_ahead_stop(); before and
 * after, it is the caller's, who may go elsewhere in the file. All but `read` and `wait` are
 * called by one thread at a time, the collector's or who has it in his hands.
 */
#ifndef READ_READ_AHEAD_H
#define READ_READ_AHEAD_H

#include "engine/base/err.h"
#include "engine/source/source.h"

#include <stdbool.h>
#include <stdint.h>

struct read_ahead;

enum read_ahead_end {
	READ_AHEAD_MORE, /* another slice comes */
	READ_AHEAD_WAITS, /* the same, when there is more to be read */
	READ_AHEAD_OVER, /* this was the last one */
};

/* How a slice ended, for who takes it. */
struct read_ahead_slice {
	enum read_ahead_end end;
	uint64_t reported_ns; /* see source_delivered_ns() */
	uint64_t at_ns; /* of the newest that was read, a record or none */
};

/* On the thread. */
struct read_ahead_ops {
	/* Hands over the records of the next slice; ends early when read_ahead_stops(). */
	void (*read)(void *ctx, record_fn *take, void *take_ctx, struct read_ahead_slice *slice);
	/* After READ_AHEAD_WAITS: until there is more, or wake_fd is readable. */
	void (*wait)(void *ctx, int wake_fd);
};

/* -errno with a sentence. */
int read_ahead_new(struct read_ahead **ahead, const struct read_ahead_ops *ops, void *ctx,
		   struct err *err);
/* Stops first. NULL is fine. */
void read_ahead_free(struct read_ahead *ahead);

/* -errno with a sentence; then nothing is read ahead. */
int read_ahead_start(struct read_ahead *ahead, struct err *err);
/* What was read and not taken is lost. When it returns, nobody reads. */
void read_ahead_stop(struct read_ahead *ahead);
bool read_ahead_runs(const struct read_ahead *ahead);
/* On the thread: whether it is to stop. */
bool read_ahead_stops(const struct read_ahead *ahead);

/*
 * Waits until there is a slice, or part of one that is too large to be there at once: 1; until
 * wake_fd (-1: none) is readable or the time is over: 0; -errno.
 */
int read_ahead_wait(struct read_ahead *ahead, int wake_fd, int timeout_ms);
/*
 * The next record, borrowed until read_ahead_pass() and the same one until then; NULL: the slice
 * ends, as *slice says. Waits for what was not read yet, which is nothing after read_ahead_wait()
 * but in the largest slices. Behind the last slice it stays at NULL.
 */
const struct record *read_ahead_next(struct read_ahead *ahead, struct read_ahead_slice *slice);
void read_ahead_pass(struct read_ahead *ahead);

#endif
