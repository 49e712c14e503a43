/*
 * call_end - how the call that a thread is in comes to its end.
 *
 * A part of pairing.h, whose table says which end is which; owned and locked by the model. All
 * but call_end_hold() leave the thread outside of any call, and all but call_end_drop() then
 * hand the call to pairing->done.
 */
#ifndef MODEL_CALL_END_H
#define MODEL_CALL_END_H

#include "engine/model/pairing_types.h"

/* It returned to be restarted, on that CPU, and is held open. switches: as in a RECORD_CALL. */
void call_end_hold(struct pairing *pairing, struct task *task, int64_t ret, uint64_t time_ns,
		   uint32_t cpu, uint16_t switches);
/* It goes on; nothing if it was not held. */
void call_end_unhold(struct pairing *pairing, struct task *task);
/* It was not restarted: done when it returned. */
void call_end_held(struct pairing *pairing, struct task *task);

/* It returned; dur_ns is known beyond doubt, or -1. */
void call_end_as(struct pairing *pairing, struct task *task, int64_t ret, int64_t dur_ns);
/* It returned, as an exit of its own says. */
void call_end_done(struct pairing *pairing, struct task *task, int64_t ret, uint64_t time_ns,
		   uint32_t cpu);
/* It did not return, or nobody saw it. time_ns 0: when is not known. */
void call_end_unseen(struct pairing *pairing, struct task *task, enum call_state state,
		     uint64_t time_ns);
/* The thread is seen elsewhere than in its call. */
void call_end_left(struct pairing *pairing, struct task *task);
/* Leaves the call in flight without a word. */
void call_end_drop(struct pairing *pairing, struct task *task);

#endif
