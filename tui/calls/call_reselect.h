/*
 * call_reselect - finds the selected call after the recording was read again.
 *
 * Sequence numbers change when the recording is read again. The thread and the times of a call stay
 * the same. If the call is missing, the nearest call in time is selected. UI thread only.
 */
#ifndef CALLS_CALL_RESELECT_H
#define CALLS_CALL_RESELECT_H

#include "engine/engine.h"

struct call_reselect {
	bool noted; /* a call to search for is stored */
	uint32_t tid;
	uint64_t enter_ns, end_ns; /* for a call in flight, end_ns equals enter_ns */
};

void call_reselect_note(struct call_reselect *recall, const struct call *call);
bool call_reselect_is(const struct call_reselect *recall, const struct call *call);
/* Set *seq to the sequence number of the call, or of the nearest one. False: empty history. */
bool call_reselect_find(struct call_reselect *recall, struct engine *engine, uint64_t *seq);

#endif
