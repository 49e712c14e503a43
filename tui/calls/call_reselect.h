/*
 * call_reselect - finds the selected call again once a recording was read anew: the call itself, or
 * the one that is nearest in time.
 *
 * Calls have other numbers then; who made it and when stays. UI thread only.
 */
#ifndef CALLS_CALL_RESELECT_H
#define CALLS_CALL_RESELECT_H

#include "engine/engine.h"

struct call_reselect {
	bool noted; /* it is looked for */
	uint32_t tid;
	uint64_t enter_ns, end_ns; /* one in flight: as if it ended at once */
};

void call_reselect_note(struct call_reselect *recall, const struct call *call);
bool call_reselect_is(const struct call_reselect *recall, const struct call *call);
/* The number of the call in the history, or of the nearest one; false: there are none yet. */
bool call_reselect_find(struct call_reselect *recall, struct engine *engine, uint64_t *seq);

#endif
