/*
 * waits - what the calls in flight wait for: the half of pairing that the scheduler's
 * records feed (pairing_switch_out() and its kin, declared in pairing.h), and what
 * pairing needs of it. Where a source takes no stack of a wait because there are too many,
 * the call shows that of an earlier wait of the thread in the same system call on the
 * same first argument, which is the lock, the descriptor or the like, and a flag says so.
 * Owned and locked by the model.
 */
#ifndef MODEL_WAITS_H
#define MODEL_WAITS_H

#include "engine/model/tasks.h"

/* Clocks of two CPUs may differ by a little: never negative. */
static inline uint64_t elapsed_ns(uint64_t from_ns, uint64_t to_ns)
{
	return to_ns > from_ns ? to_ns - from_ns : 0;
}

/* The wait is over: the call shows the stack of its longest one again. */
void wait_end(struct task *task, uint64_t time_ns);

/* The stack of the call of the task, or of a copy of that, is this one: call.h's flags say how. */
void wait_show_stack(const struct task *task, struct call *call, uint32_t stack_id, bool earlier);

/* Its result says that nothing else than its own time-out ended a call that had to wait. */
bool wait_timed_out(const struct call *call);

#endif
