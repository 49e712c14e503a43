/*
 * prefetch_queue - delays records on their way into the model to prefetch the memory they touch.
 *
 * With thousands of threads, the memory that a call changes is mostly outside the CPU caches: task,
 * totals of the thread, cell, histogram bucket. Each address is known only when the one before it
 * is loaded. Waiting for one load after another takes ten times as long as all other work on a
 * record. So each record stays here while PREFETCH_QUEUE_DEPTH further records arrive. Every few
 * records, the next step of its memory is prefetched.
 *
 * Only records of calls without argument memory, except execve, are delayed. Any other record first
 * flushes the queue, then goes to the model, so the order of times is unchanged. With few cells in
 * the totals, no record is delayed. One thread, which holds the model's lock.
 *
 *	prefetch_queue_feed(&queue, record);	instead of model_feed()
 *	prefetch_queue_flush(&queue);	before the model is read or changed in another way
 */
#ifndef MODEL_PREFETCH_QUEUE_H
#define MODEL_PREFETCH_QUEUE_H

#include "engine/model/model.h"

#define PREFETCH_QUEUE_DEPTH 16 /* a power of two */

struct prefetch_queue_entry {
	struct record record;
	struct totals_foresee all, matched;
};

struct prefetch_queue {
	struct model *model; /* borrowed */
	/* Entry n is at n % PREFETCH_QUEUE_DEPTH; numbers only grow. */
	uint64_t first, end;
	struct prefetch_queue_entry entries[PREFETCH_QUEUE_DEPTH];
};

void prefetch_queue_init(struct prefetch_queue *prefetch_queue, struct model *model);
void prefetch_queue_feed(struct prefetch_queue *prefetch_queue, const struct record *record);
void prefetch_queue_flush(struct prefetch_queue *prefetch_queue);

#endif
