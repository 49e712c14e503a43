/*
 * read_ahead - a thread that reads a recording ahead of the collector.
 *
 * Reading, decompression, ordering and decoding take about as long as the model takes for the same
 * records. With two threads, a recording is read in half the time. Records pass through a queue of
 * fixed size; the faster thread waits. They come in slices, and the collector settles its model
 * after each slice. So a file yields the same results whichever thread is faster.
 *
 * Between read_ahead_start() and read_ahead_stop() the thread owns the state that `read` uses; at
 * other times, the caller owns it and can seek. All functions except `read` and `wait` are called
 * by one thread at a time: the collector or, while that does not run, its owner.
 */
#ifndef READ_READ_AHEAD_H
#define READ_READ_AHEAD_H

#include "engine/base/err.h"
#include "engine/source/source.h"

#include <stdbool.h>
#include <stdint.h>

struct read_ahead;

enum read_ahead_end {
	READ_AHEAD_MORE, /* another slice follows */
	READ_AHEAD_WAITS, /* another slice follows when more input arrives */
	READ_AHEAD_OVER, /* last slice */
};

/* How a slice ended. */
struct read_ahead_slice {
	enum read_ahead_end end;
	uint64_t reported_ns; /* see source_delivered_ns() */
	uint64_t at_ns; /* newest time read, including data without a record of the model */
};

/* Called on the thread. */
struct read_ahead_ops {
	/* Pass the records of a slice to `take`, until its end or until read_ahead_stops(). */
	void (*read)(void *ctx, record_fn *take, void *take_ctx, struct read_ahead_slice *slice);
	/* After READ_AHEAD_WAITS: wait for more input, or until wake_fd is readable. */
	void (*wait)(void *ctx, int wake_fd);
};

/* -errno with a message. */
int read_ahead_new(struct read_ahead **ahead, const struct read_ahead_ops *ops, void *ctx,
		   struct err *err);
/* Stops the thread first. NULL is allowed. */
void read_ahead_free(struct read_ahead *ahead);

/* -errno with a message; then the thread does not run. */
int read_ahead_start(struct read_ahead *ahead, struct err *err);
/* Stop and join the thread; discard records that were read and not taken. */
void read_ahead_stop(struct read_ahead *ahead);
bool read_ahead_runs(const struct read_ahead *ahead);
/* On the thread: true if it must stop. */
bool read_ahead_stops(const struct read_ahead *ahead);

/*
 * Wait for a slice, or for the first part of one that does not fit into the queue, and return 1.
 * Return 0 if wake_fd (-1: none) is readable, on timeout or signal; otherwise -errno.
 */
int read_ahead_wait(struct read_ahead *ahead, int wake_fd, int timeout_ms);
/*
 * Return the next record, borrowed until read_ahead_pass(); the same record until then. NULL: the
 * slice ended, see *slice; always NULL after the last slice. Blocks if no record is available; once
 * read_ahead_wait() has returned 1, only in a slice that does not fit into the queue.
 */
const struct record *read_ahead_next(struct read_ahead *ahead, struct read_ahead_slice *slice);
void read_ahead_pass(struct read_ahead *ahead);

#endif
