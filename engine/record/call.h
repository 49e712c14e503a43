/*
 * call - one system call of one thread: a row of the history.
 *
 * 136 bytes, of which the history keeps those that are not zero (call_pack.h). Names and
 * texts are made when somebody looks, from the ids here.
 */
#ifndef RECORD_CALL_H
#define RECORD_CALL_H

#include "engine/record/record.h"

#include <stdbool.h>
#include <stdint.h>

enum call_state {
	CALL_IN_FLIGHT, /* entered, has not returned yet */
	CALL_DONE, /* entered and returned: dur_ns and ret are exact */
	CALL_ORPHAN, /* returned, but its enter was not seen: args unknown, dur_ns -1 */
	CALL_ENDED, /* the thread ended inside it (exit, exit_group, a kill): no ret */
	CALL_LOST_EXIT, /* its exit was lost: the thread was seen entering another call */
	/* Not a call: args[0] records, of enum record_loss args[1], were lost here; 0: a pause. */
	CALL_GAP,
	/* Not a call either: another tracepoint was hit, see tracepoint_events.h. */
	CALL_EVENT,
	CALL_STATE_COUNT
};

enum call_flag {
	CALL_SEEDED = 1 << 0, /* in flight when tracing began: enter_ns is when it was found */
	CALL_NO_RETURN = 1 << 1, /* of a kind that does not return when it succeeds */
	CALL_WAKER_INFERRED = 1 << 2, /* the waker was concluded from a FUTEX_WAKE, not seen */
	CALL_FILTERED_OUT = 1 << 3, /* in a snapshot: shown although the filter drops it */
	/*
	 * There were too many waits for a stack of each: stack_id is that of an earlier wait of
	 * the thread in the same system call on the same first argument; 0: there was none.
	 */
	CALL_STACK_EARLIER = 1 << 4,
	CALL_WAKER_STACK_EARLIER = 1 << 5, /* of waker_stack_id: when that thread woke this one */
	CALL_STACK_FOUND = 1 << 6, /* no event told stack_id: /proc did, of a thread that waited */
	/*
	 * Some of its waits were not seen, or nobody watched: blocked_ns and runnable_ns are what
	 * is known, and prove nothing about the rest.
	 */
	CALL_WAITS_UNKNOWN = 1 << 7,
	CALL_STACK_SAMPLED = 1 << 8, /* stack_id is where it was found running, on a CPU */
	/* in a snapshot, in flight: seems to wait for work, see idle_waits.h */
	CALL_IDLE = 1 << 10,
	CALL_STACK_PREEMPTED = 1 << 9, /* stack_id is where its CPU was taken from it */
	CALL_STACK_KINDS = CALL_STACK_EARLIER | CALL_STACK_FOUND | CALL_STACK_SAMPLED |
			   CALL_STACK_PREEMPTED,
};

/* Why a blocked call went on. */
enum waker_kind {
	WAKER_NONE, /* it never blocked, or nothing is known */
	WAKER_THREAD, /* the thread waker_tid woke it */
	WAKER_TIMER, /* its own time-out */
	WAKER_INTERRUPT, /* a device or softirq */
	WAKER_KIND_COUNT
};

/* What is sorted and searched by is in the first cache line. */
struct call {
	uint64_t enter_ns; /* for an orphan: the time of its exit */
	int64_t dur_ns; /* -1: not known (in flight, orphan, seeded) */
	int64_t ret; /* meaningful in CALL_DONE and CALL_ORPHAN */
	uint64_t blocked_ns; /* off the CPU and not runnable, so far */
	uint64_t runnable_ns; /* waiting for a CPU, so far */
	uint32_t pid, tid;
	uint32_t comm_id; /* model_name(): the thread's name at the enter */
	uint32_t stack_id; /* of its longest wait, or see call_stack_is_of_enter(); 0: none */
	uint16_t nr;
	uint16_t cpu; /* where it entered */
	uint16_t flags; /* enum call_flag */
	uint8_t state; /* enum call_state */
	uint8_t waker_kind : 4; /* enum waker_kind */
	uint8_t thread_state : 4; /* enum run_state, see call_thread_letter() */
	uint64_t args[SYSCALL_ARGS];
	uint32_t waker_tid;
	uint32_t waker_stack_id; /* 0: none */
	uint64_t bytes_at; /* history_bytes(): what it pointed to; 0: nothing is known */
	/* Where it was found running, if it ran for longer than it blocked; 0: it did not. */
	uint32_t ran_stack_id;
	/* When that was, or when stack_id was if that is a CALL_STACK_SAMPLED; 0: not known. */
	uint32_t ran_after_us;
};

_Static_assert(sizeof(struct call) <= 136, "two cache lines and little more, copied by value");

/* Whether it is a system call at all, and not another row of the history. */
static inline bool call_was_made(const struct call *call)
{
	return call->state != CALL_GAP && call->state != CALL_EVENT;
}

/* Whether its stack is that of where it was entered: it never waited, as far as is known. */
static inline bool call_stack_is_of_enter(const struct call *call)
{
	return call->stack_id && !call->blocked_ns && !call->runnable_ns &&
	       !(call->flags &
		 (CALL_SEEDED | CALL_STACK_EARLIER | CALL_STACK_SAMPLED | CALL_STACK_PREEMPTED));
}

/* Where most of its time went, as far as is known. What it blocked is of stack_id. */
static inline uint32_t call_shown_stack(const struct call *call)
{
	return call->ran_stack_id ? call->ran_stack_id : call->stack_id;
}

/* Whether that is where it was found running. */
static inline bool call_shows_running(const struct call *call)
{
	return call->ran_stack_id || call->flags & CALL_STACK_SAMPLED;
}

/* Whether blocked_ns and runnable_ns are all that it waited. */
static inline bool call_waits_are_known(const struct call *call)
{
	return !(call->flags & CALL_WAITS_UNKNOWN);
}

/*
 * In flight: what its thread does now, R where it waits for a CPU or has one. Of one that
 * returned: how it waited last. '?': nobody told.
 */
static inline char call_thread_letter(const struct call *call)
{
	return "?RSDTtPIXZ"[call->thread_state < THREAD_STATE_COUNT ? call->thread_state : 0];
}

/* A call failed if it returned one of the error numbers (-4095..-1). */
static inline bool call_failed(const struct call *call)
{
	return (call->state == CALL_DONE || call->state == CALL_ORPHAN) && call->ret < 0 &&
	       call->ret >= -4095;
}

#endif
