/*
 * recorder_snapshot - the state of all tasks, as records that a recording begins with: names, task
 * owners, calls in flight and their waits.
 *
 * Collector only, under the model's lock.
 */
#ifndef RECORDER_RECORDER_SNAPSHOT_H
#define RECORDER_RECORDER_SNAPSHOT_H

#include "engine/model/model.h"
#include "engine/source/source.h"
#include "engine/stack/stacks.h"

/*
 * Pass the records to take(). from 0: pass no finished calls. Otherwise also pass the calls with
 * sequence number from - 1 or higher that passed the filter and are still in the history. These
 * calls have no waits; their number is bounded, as the lock is held.
 */
void recorder_snapshot(struct model *model, const struct stacks *stacks, uint64_t from,
		       record_fn *take, void *ctx);

#endif
