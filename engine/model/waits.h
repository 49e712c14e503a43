/*
 * waits - what the calls in flight wait for: the half of pairing that the scheduler's
 * records feed (pairing_switch_out() and its kin), and what the other half (pairing.h) needs
 * of it. Where a source takes no stack of a wait because there are too many, the call shows
 * that of an earlier wait of the thread in the same system call on the same first argument,
 * which is the lock, the descriptor or the like, and a flag says so.
 * Owned and locked by the model.
 */
#ifndef MODEL_WAITS_H
#define MODEL_WAITS_H

#include "engine/model/pairing_types.h"

/* Clocks of two CPUs may differ by a little: never negative. */
static inline uint64_t elapsed_ns(uint64_t from_ns, uint64_t to_ns)
{
	return to_ns > from_ns ? to_ns - from_ns : 0;
}

/* The wait is over: the call shows the stack of its longest one again. */
void wait_end(struct task *task, uint64_t time_ns);

/* The stack of the call is this one, of this kind. */
static inline void wait_show_stack(struct call *call, uint32_t stack_id, uint16_t kind)
{
	call->stack_id = stack_id;
	call->flags = (uint16_t)((call->flags & ~CALL_STACK_KINDS) | kind);
}

/*
 * The call is about to be handed over, having ended then on that CPU (65535: not known): whether
 * its waits were all seen. switches: as in a RECORD_CALL.
 */
void wait_judge(const struct pairing *pairing, struct task *task, uint64_t time_ns, uint32_t cpu,
		uint16_t switches);
/* Whether a switch on this CPU may have been lost since then. */
bool wait_switches_lost(const struct pairing *pairing, uint32_t cpu, uint64_t since_ns);
/* Shows where the thread was found running in the call, if it was and nothing is better. */
void wait_show_sample(struct task *task, struct call *call, uint64_t end_ns);

/* Its result says that nothing else than its own time-out ended a call that had to wait. */
bool wait_timed_out(const struct call *call);

/* -- Fed by the model ------------------------------------------------------------------- */

/*
 * Whether anybody tells of switches: else the waits of all calls to come are unknown. ins: of all
 * that get a CPU; else a wait lasts until something else is told of its thread.
 */
void pairing_watch_waits(struct pairing *pairing, bool watched, bool ins);
/* tasks_call_at(), with what is known of losses by now. */
void pairing_call_at(const struct pairing *pairing, const struct task *task, uint64_t now_ns,
		     struct call *call);

/* The wait records; stack_id is 0 where the switch had no stack. */
void pairing_switch_out(struct pairing *pairing, const struct record *record, uint32_t stack_id);
void pairing_switch_in(struct pairing *pairing, const struct record *record);
/* Where a thread was found running: its call shows that if it never waited for anything. */
void pairing_running(struct pairing *pairing, const struct record *record, uint32_t stack_id);
void pairing_waking(struct pairing *pairing, const struct record *record, uint32_t stack_id);
/* After pairing_feed(): where the thread of a RECORD_INFLIGHT is blocked since before that. */
void pairing_inflight_wait(struct pairing *pairing, const struct record *record, uint32_t stack_id);
/* Whether the stack of such a record would be used: interning one costs more than this. */
bool pairing_wants_stack(const struct pairing *pairing, const struct record *record);

#endif
