/*
 * prefetch_queue - a few records on their way into the model, whose memory is fetched meanwhile.
 *
 * With thousands of threads, nearly all that a call changes is out of the CPU's caches: its
 * task, its thread's sums, the cell, the bucket, each known only when the one before it is
 * there. Waited for one by one they take ten times as long as all the rest. So a record stays
 * here for PREFETCH_QUEUE_DEPTH others, and each few of these bring it one step nearer.
 *
 * Records of other kinds than calls, or that point to something, push out those before them and
 * go straight through, so the model gets every record in the order of the times. Where few
 * threads do few things, nothing waits here at all. One thread, which holds the model's lock.
 *
 *	prefetch_queue_feed(&queue, record);	in place of model_feed()
 *	prefetch_queue_flush(&queue);	before anybody looks, or anything else changes the model
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
	/* Entry number n is at n % PREFETCH_QUEUE_DEPTH; numbers grow. */
	uint64_t first, end;
	struct prefetch_queue_entry entries[PREFETCH_QUEUE_DEPTH];
};

void prefetch_queue_init(struct prefetch_queue *prefetch_queue, struct model *model);
void prefetch_queue_feed(struct prefetch_queue *prefetch_queue, const struct record *record);
void prefetch_queue_flush(struct prefetch_queue *prefetch_queue);

#endif
