/*
 * prefetch_queue - a few records on their way into the model, whose memory is fetched meanwhile.
 *
 * With thousands of threads, nearly all that a call changes is out of the CPU's caches: its
 * task, its thread's sums, the cell, the bucket, each known only when the one before it is
 * there. Waited for one by one they take ten times as long as all the rest. So a record stays
 * here for INTAKE_DEPTH others, and each few of these bring it one step nearer.
 *
 * Records of other kinds than calls, or that point to something, push out those before them and
 * go straight through, so the model gets every record in the order of the times. Where few
 * threads do few things, nothing waits here at all. One thread, which holds the model's lock.
 *
 *	intake_feed(&intake, record);	in place of model_feed()
 *	intake_flush(&intake);		before anybody looks, or anything else changes the model
 */
#ifndef MODEL_PREFETCH_QUEUE_H
#define MODEL_PREFETCH_QUEUE_H

#include "engine/model/model.h"

#define INTAKE_DEPTH 16 /* a power of two */

struct intake_entry {
	struct record record;
	struct totals_foresee all, matched;
};

struct intake {
	struct model *model; /* borrowed */
	/* Entry number n is at n % INTAKE_DEPTH; numbers grow. */
	uint64_t first, end;
	struct intake_entry entries[INTAKE_DEPTH];
};

void intake_init(struct intake *intake, struct model *model);
void intake_feed(struct intake *intake, const struct record *record);
void intake_flush(struct intake *intake);

#endif
