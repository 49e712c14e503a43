/*
 * waits - blocked and runnable time, stacks and wakers of calls in flight.
 *
 * The second half of pairing: the model feeds it scheduler records, and the first half (pairing.h)
 * uses the wait_ functions. If the stack limit leaves a wait without a stack, the call shows the
 * stack of an earlier wait and has CALL_STACK_EARLIER. The earlier wait was of the same thread, in
 * the same system call, with the same first argument (the lock, the descriptor or similar). Owned
 * and locked by the model.
 */
#ifndef MODEL_WAITS_H
#define MODEL_WAITS_H

#include "engine/model/pairing_types.h"

/* Clocks of two CPUs can differ slightly: a negative time becomes 0. */
static inline uint64_t elapsed_ns(uint64_t from_ns, uint64_t to_ns)
{
	return to_ns > from_ns ? to_ns - from_ns : 0;
}

/* What a record implies about the switch records of a call. */
enum wait_evidence {
	EVIDENCE_UNWATCHED, /* the call begins, and the source emits no switch records */
	EVIDENCE_MAY_BE_LOST, /* a switch record may have been lost */
	EVIDENCE_LOST, /* a switch record was lost, or the end of the call is unknown */
	EVIDENCE_COUNT_EQUAL, /* the source counted as many switches as there are records */
	EVIDENCE_COUNT_DIFFERS,
	EVIDENCE_UNCOUNTED, /* the call or a part of it ends, and the source counts no switches */
	EVIDENCE_NONE,
	EVIDENCES
};

/* Return the knowledge that follows from the evidence. No other code derives it. */
static inline enum wait_knowledge wait_knowledge_after(enum wait_knowledge known,
						       enum wait_evidence evidence)
{
	static const uint8_t after[][EVIDENCES] = {
		[WAITS_EXACT] = { WAITS_UNWATCHED, WAITS_DOUBTED, WAITS_MISSED, WAITS_EXACT,
				  WAITS_MISSED, WAITS_EXACT, WAITS_EXACT },
		[WAITS_DOUBTED] = { WAITS_UNWATCHED, WAITS_DOUBTED, WAITS_MISSED, WAITS_EXACT,
				    WAITS_MISSED, WAITS_MISSED, WAITS_DOUBTED },
		[WAITS_MISSED] = { WAITS_UNWATCHED, WAITS_MISSED, WAITS_MISSED, WAITS_MISSED,
				   WAITS_MISSED, WAITS_MISSED, WAITS_MISSED },
		[WAITS_UNWATCHED] = { WAITS_UNWATCHED, WAITS_UNWATCHED, WAITS_UNWATCHED,
				      WAITS_UNWATCHED, WAITS_UNWATCHED, WAITS_UNWATCHED,
				      WAITS_UNWATCHED },
	};

	return (enum wait_knowledge)after[known][evidence];
}

/* Update *known (enum wait_knowledge) and the call's CALL_WAITS_UNKNOWN by the evidence. */
static inline void wait_learn(struct call *call, uint8_t *known, enum wait_evidence evidence)
{
	enum wait_knowledge now = wait_knowledge_after((enum wait_knowledge) * known, evidence);

	if (__builtin_expect(now == *known, 1))
		return;
	*known = (uint8_t)now;
	call->flags = (uint16_t)((call->flags & ~CALL_WAITS_UNKNOWN) |
				 (now == WAITS_EXACT ? 0 : CALL_WAITS_UNKNOWN));
}

/* Return the evidence with which each call begins. */
static inline enum wait_evidence wait_begin_evidence(const struct pairing *pairing)
{
	return pairing->waits_unwatched ? EVIDENCE_UNWATCHED : EVIDENCE_NONE;
}

/* Begin a wait of a call that /proc showed. state: enum run_state. */
void wait_begin(struct task *task, uint64_t time_ns, uint8_t state);
/* End the wait, if there is one. The call then shows the stack of its longest wait. */
void wait_end(struct task *task, uint64_t time_ns);

/* Set the stack of the call and its kind (CALL_STACK_KINDS). */
static inline void wait_show_stack(struct call *call, uint32_t stack_id, uint16_t kind)
{
	call->stack_id = stack_id;
	call->flags = (uint16_t)((call->flags & ~CALL_STACK_KINDS) | kind);
}

/*
 * Decide whether the waits of the call are exact, and limit them to its duration. Call it when the
 * call ends, at time_ns on `cpu` (65535: unknown). switches: as in a RECORD_CALL.
 */
void wait_judge(const struct pairing *pairing, struct task *task, uint64_t time_ns, uint32_t cpu,
		uint16_t switches);
/* True if a switch record of this CPU may have been lost since since_ns. */
bool wait_switches_lost(const struct pairing *pairing, uint32_t cpu, uint64_t since_ns);
/* Show the stack with which the thread was sampled running, unless a wait has a better stack. */
void wait_show_sample(struct task *task, struct call *call, uint64_t end_ns);

/* True if the result shows that the call timed out. */
bool wait_timed_out(const struct call *call);

/* -- Fed by the model ------------------------------------------------------------------- */

/*
 * watched: the source emits switch records; else the waits of all later calls are unknown. ins: it
 * emits a switch-in for each thread that gets a CPU; else a wait counts until another record of the
 * thread.
 */
void pairing_watch_waits(struct pairing *pairing, bool watched, bool ins);
/* As tasks_call_at(), with losses of switch records taken into account. */
void pairing_call_at(const struct pairing *pairing, const struct task *task, uint64_t now_ns,
		     struct call *call);

/* Feed records of waits; stack_id is 0 if the record has no stack. */
void pairing_switch_out(struct pairing *pairing, const struct record *record, uint32_t stack_id);
void pairing_switch_in(struct pairing *pairing, const struct record *record);
/* Feed a sample of a running thread: the call shows its stack if it did not wait. */
void pairing_running(struct pairing *pairing, const struct record *record, uint32_t stack_id);
void pairing_waking(struct pairing *pairing, const struct record *record, uint32_t stack_id);
/* Call after pairing_feed() of a RECORD_INFLIGHT: set the stack with which the thread waits. */
void pairing_inflight_wait(struct pairing *pairing, const struct record *record, uint32_t stack_id);
/* True if the stack of this record would be used. Test it first, as interning costs more. */
bool pairing_wants_stack(const struct pairing *pairing, const struct record *record);

#endif
