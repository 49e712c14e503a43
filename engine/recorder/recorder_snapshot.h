/*
 * recorder_snapshot - what is known of tasks at some moment, as records of a recording that
 * begins then: their names, whose they are, the calls in flight with what they wait in.
 *
 * The collector's, under the model's lock.
 */
#ifndef RECORDER_RECORDER_SNAPSHOT_H
#define RECORDER_RECORDER_SNAPSHOT_H

#include "engine/model/model.h"
#include "engine/source/source.h"
#include "engine/stack/stacks.h"

/*
 * from: 1 + the place in the history from which on the calls that the filter let through are told
 * too, as far as they are there: whole, without their waits, not too many at once. 0: none are.
 */
void recorder_snapshot(struct model *model, const struct stacks *stacks, uint64_t from,
		       record_fn *take, void *ctx);

#endif
