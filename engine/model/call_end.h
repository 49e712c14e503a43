/*
 * call_end - ends the call that a thread is in.
 *
 * Part of pairing; the table in pairing.h lists how each case ends a call. Only call_end_hold() and
 * call_end_unhold() leave the thread in its call. The other functions pass the call to
 * pairing->done, unless they discard it. Owned and locked by the model.
 */
#ifndef MODEL_CALL_END_H
#define MODEL_CALL_END_H

#include "engine/model/pairing_types.h"

/* Hold the call open: it returned a restart error on `cpu`. switches: as in a RECORD_CALL. */
void call_end_hold(struct pairing *pairing, struct task *task, int64_t ret, uint64_t time_ns,
		   uint32_t cpu, uint16_t switches);
/* Continue the held call; no-op if it is not held. */
void call_end_unhold(struct pairing *pairing, struct task *task);
/* End the held call at the time when it returned: it was not restarted. */
void call_end_held(struct pairing *pairing, struct task *task);

/* End the call with its result. dur_ns: exact, or -1. */
void call_end_as(struct pairing *pairing, struct task *task, int64_t ret, int64_t dur_ns);
/* End the call with the result and time of its exit record. */
void call_end_done(struct pairing *pairing, struct task *task, int64_t ret, uint64_t time_ns,
		   uint32_t cpu);
/* End a call that did not return or has no exit record. time_ns 0: end time unknown. */
void call_end_unseen(struct pairing *pairing, struct task *task, enum call_state state,
		     uint64_t time_ns);
/* End the call because a later record shows the thread outside it. */
void call_end_left(struct pairing *pairing, struct task *task);
/* Discard the call in flight; pairing->done is not called. */
void call_end_drop(struct pairing *pairing, struct task *task);

#endif
