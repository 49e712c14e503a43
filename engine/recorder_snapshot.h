/*
 * recorder_snapshot - what is known of tasks at some moment, as records of a recording that
 * begins then: their names, whose they are, the calls in flight with what they wait in.
 *
 * The collector's, under the model's lock.
 */
#ifndef ENGINE_RECORDER_SNAPSHOT_H
#define ENGINE_RECORDER_SNAPSHOT_H

#include "engine/model/model.h"
#include "engine/source/source.h"
#include "engine/stack/stacks.h"

void recorder_snapshot(const struct model *model, const struct stacks *stacks, record_fn *take,
		       void *ctx);

/*
 * The calls that the filter let through, from that place of the history on, as far as they are
 * there: whole, without their waits. Not too many at once.
 */
void recorder_snapshot_calls(const struct model *model, struct history *history, uint64_t seq,
			     record_fn *take, void *ctx);

#endif
