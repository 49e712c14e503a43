/*
 * call - one system call of one thread: a row of the history.
 *
 * 136 bytes; the history stores it packed (call_pack.h). It holds ids only; names and texts are
 * formatted when the call is shown.
 */
#ifndef RECORD_CALL_H
#define RECORD_CALL_H

#include "engine/record/record.h"

#include <stdbool.h>
#include <stdint.h>

enum call_state {
	CALL_IN_FLIGHT, /* entered and not yet returned */
	CALL_DONE, /* entered and returned: dur_ns and ret are exact */
	CALL_ORPHAN, /* returned, but the enter is missing: args unknown, dur_ns -1 */
	CALL_ENDED, /* the thread exited inside the call (exit, exit_group, a kill): no ret */
	CALL_LOST_EXIT, /* the exit record was lost: the thread entered another call */
	/* Not a call: args[0] records were lost (args[1]: enum record_loss); 0: tracing was off. */
	CALL_GAP,
	/* Not a call: a hit of another tracepoint, see tracepoint_events.h. */
	CALL_EVENT,
	CALL_STATE_COUNT
};

enum call_flag {
	CALL_SEEDED = 1 << 0, /* in flight when tracing began: enter_ns is the time of detection */
	CALL_NO_RETURN = 1 << 1, /* a syscall that does not return on success */
	CALL_WAKER_INFERRED = 1 << 2, /* the waker is inferred from a FUTEX_WAKE */
	CALL_FILTERED_OUT = 1 << 3, /* in a snapshot: shown although the filter drops it */
	/*
	 * The stack limit was reached: stack_id is from an earlier wait of the thread, with the
	 * same syscall and first argument. 0: no such wait.
	 */
	CALL_STACK_EARLIER = 1 << 4,
	CALL_WAKER_STACK_EARLIER = 1 << 5, /* waker_stack_id: from an earlier wakeup by the waker */
	CALL_STACK_FOUND = 1 << 6, /* stack_id is from /proc, read during a wait */
	/*
	 * Switch records are missing or were not collected: blocked_ns and runnable_ns are lower
	 * bounds.
	 */
	CALL_WAITS_UNKNOWN = 1 << 7,
	CALL_STACK_SAMPLED = 1 << 8, /* stack_id was sampled while the thread ran on a CPU */
	/* in a snapshot: the call in flight probably waits for work, see idle_waits.h */
	CALL_IDLE = 1 << 10,
	CALL_STACK_PREEMPTED = 1 << 9, /* stack_id is from the preemption of the thread */
	/*
	 * With CALL_SEEDED: seccomp or a tracer held the call before sys_enter, while tracing was
	 * on. It was entered just before enter_ns.
	 */
	CALL_UNENTERED = 1 << 11,
	CALL_STACK_KINDS = CALL_STACK_EARLIER | CALL_STACK_FOUND | CALL_STACK_SAMPLED |
			   CALL_STACK_PREEMPTED,
};

/* What ended the wait of a blocked call. */
enum waker_kind {
	WAKER_NONE, /* the call never blocked, or the waker is unknown */
	WAKER_THREAD, /* thread waker_tid woke it */
	WAKER_TIMER, /* timeout of the call */
	WAKER_INTERRUPT, /* a device or softirq */
	WAKER_KIND_COUNT
};

/* Members used for sorting and searching share the first cache line. */
struct call {
	uint64_t enter_ns; /* orphan: the time of its exit */
	int64_t dur_ns; /* -1: unknown (in flight, orphan, seeded) */
	int64_t ret; /* valid in CALL_DONE and CALL_ORPHAN */
	uint64_t blocked_ns; /* off the CPU and not runnable, so far */
	uint64_t runnable_ns; /* waiting for a CPU, so far */
	uint32_t pid, tid;
	uint32_t comm_id; /* identity of the thread at the enter; model_name() returns its comm */
	uint32_t stack_id; /* stack of the longest wait, or see call_stack_is_of_enter(); 0: none */
	uint16_t nr;
	uint16_t cpu; /* CPU of the enter */
	uint16_t flags; /* enum call_flag */
	uint8_t state; /* enum call_state */
	uint8_t waker_kind : 4; /* enum waker_kind */
	uint8_t thread_state : 4; /* enum run_state, see call_thread_letter() */
	uint64_t args[SYSCALL_ARGS];
	uint32_t waker_tid;
	uint32_t waker_stack_id; /* 0: none */
	uint64_t bytes_at; /* captured bytes of its arguments, see history_bytes(); 0: none */
	/* Stack sampled while the thread ran, set if it ran longer than it was blocked; 0: none. */
	uint32_t ran_stack_id;
	/* Time from the enter to the sample of ran_stack_id or stack_id; 0: unknown. */
	uint32_t ran_after_us;
};

_Static_assert(sizeof(struct call) <= 136, "two cache lines and little more, copied by value");

/* True if this row of the history is a system call. */
static inline bool call_was_made(const struct call *call)
{
	return call->state != CALL_GAP && call->state != CALL_EVENT;
}

/* True if stack_id is from the enter, because the call has no known wait. */
static inline bool call_stack_is_of_enter(const struct call *call)
{
	return call->stack_id && !call->blocked_ns && !call->runnable_ns &&
	       !(call->flags &
		 (CALL_SEEDED | CALL_STACK_EARLIER | CALL_STACK_SAMPLED | CALL_STACK_PREEMPTED));
}

/*
 * Return the recorded stack in which the call spent most of its time. blocked_ns always belongs to
 * stack_id.
 */
static inline uint32_t call_shown_stack(const struct call *call)
{
	return call->ran_stack_id ? call->ran_stack_id : call->stack_id;
}

/* True if call_shown_stack() was sampled while the thread ran. */
static inline bool call_shows_running(const struct call *call)
{
	return call->ran_stack_id || call->flags & CALL_STACK_SAMPLED;
}

/* True if blocked_ns and runnable_ns cover all waits of the call. */
static inline bool call_waits_are_known(const struct call *call)
{
	return !(call->flags & CALL_WAITS_UNKNOWN);
}

/*
 * Return the state letter of the thread. In flight: its present state, R while it waits for a CPU
 * or has one. Returned: the state of its last wait. '?': unknown.
 */
static inline char call_thread_letter(const struct call *call)
{
	return "?RSDTtPIXZ"[call->thread_state < THREAD_STATE_COUNT ? call->thread_state : 0];
}

/* True if the call returned an error number (-4095..-1). */
static inline bool call_failed(const struct call *call)
{
	return (call->state == CALL_DONE || call->state == CALL_ORPHAN) && call->ret < 0 &&
	       call->ret >= -4095;
}

#endif
