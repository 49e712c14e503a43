/*
 * perf_plan_state - the open events and the state of perf_plan.
 *
 * Used by perf_plan.c, which opens and closes the plan, and by the parts of perf_plan, each of
 * which has its own events: perf_calls.h, perf_waits.h, perf_user_stacks.h, perf_stack_limit.h,
 * perf_cpu_clock.h, perf_moves.h. Field names state the units of times and rates. One thread.
 */
#ifndef LIVE_PERF_PLAN_STATE_H
#define LIVE_PERF_PLAN_STATE_H

#include "engine/base/err.h"
#include "engine/base/str.h"
#include "engine/process/proc_tasks.h"
#include "engine/source/live/perf_syscall_events.h"
#include "engine/source/perf/perf_closer.h"
#include "engine/source/perf/perf_decode.h"
#include "engine/source/perf/perf_event_set.h"
#include "engine/source/perf/perf_forks.h"
#include "engine/source/perf/perf_rings.h"
#include "engine/source/source.h"

#include <stdbool.h>
#include <stdint.h>

/* Where the events are opened. */
enum perf_reach {
	PERF_REACH_SYSTEM, /* every task on the CPUs of the rings */
	PERF_REACH_SELECT, /* the same events; the decoder selects the watched tasks */
	PERF_REACH_TASKS, /* each watched thread, if not too many; inherited by children */
};

/* A replaced set of calls that is still enabled, see perf_calls.c. */
struct perf_retiring {
	struct perf_event_set probes;
	uint8_t period;
	uint64_t end_ns;
	struct perf_forks forks; /* forks that began before the set was replaced */
};

#define PERF_RETIRING_MAX 3 /* maximum number of replaced sets, as each slows down every call */

/* See perf_user_stacks.h. */
struct perf_user_stack {
	struct perf_rings rings; /* not open before the first events */
	struct perf_recipe recipe;
	struct perf_event_set probes;
	uint32_t stack_bytes; /* 0: no user stacks wanted */
	bool stands_in; /* these events replace the plain switch-outs, which are disabled */
	bool paused;
	uint64_t budget; /* bytes per second */
	uint64_t second_ends_ns, second_bytes, last_second_bytes;
	bool hit_now, hit_before; /* budget spent in this second, in the previous one */
	uint64_t lost;
	char note[ERR_TEXT_BYTES]; /* why the last requested process has no user stacks */
};

/* See perf_stack_limit.h. */
struct perf_stack_limit {
	struct perf_recipe recipe;
	struct perf_event_set wakers; /* wakeups without stacks; empty: no wakers are recorded */
	uint64_t allowed; /* stacks per CPU and 100 ms */
	uint64_t window_ends_ns;
	bool hit_now, hit_before; /* limit reached in this window, in the previous one */
};

struct perf_plan {
	struct perf_decode *decode; /* borrowed: ids, periods and watched tasks */
	struct perf_rings rings;
	struct perf_closer closer;
	enum perf_reach reach;
	struct task_list pids, tids, own;
	/*
	 * Processes that became targets while they had inherited events, and the head of the family
	 * of each.
	 */
	struct task_list nested, nested_in;
	bool calls_elsewhere; /* BPF programs report the calls, see bpf_calls.h */
	bool wakers_selected; /* a kernel filter selects the wakeups of target threads */
	bool initial_pids; /* pids in tracepoint fields are those of our pid namespace */
	struct perf_recipe side_recipe, waits_recipe, waker_recipe, call_recipe;
	struct perf_event_set side, waits, wakers, calls;
	struct perf_recipe move_recipe;
	struct perf_event_set moves; /* see perf_moves.h */
	bool sees_moves; /* all moves of tasks to other cgroups were reported so far */
	struct perf_recipe running_recipe;
	struct perf_event_set computing; /* see perf_cpu_clock.h */
	struct perf_user_stack user_stacks;
	struct perf_stack_limit stack_limit;
	syscall_event_fn *syscall_event;
	struct perf_syscall_events singles; /* recipes of `calls`, if only a few calls are traced */
	struct str call_filter; /* filter string of `calls` */
	bool narrowed; /* calls are on the threads that the filter names */
	bool nothing; /* the filter matches no call: calls is empty */
	uint8_t period; /* of `calls` */
	struct task_list opened; /* threads with events of `calls`, if these are on threads */
	struct task_list narrow_pids; /* with `narrowed`: processes that have events of `calls` */
	struct perf_retiring retiring[PERF_RETIRING_MAX]; /* oldest first */
	unsigned int retiring_count;
	bool started, running;
	bool idle; /* no call is wanted, so stacks of waits are not needed */
	char note[256];
};

/* True if the wait events should be enabled. */
static inline bool perf_plan_asks_waits(const struct perf_plan *plan)
{
	return plan->started && plan->running && !plan->idle;
}

/* In perf_plan.c: list the processes and threads watched now, for reading their state in /proc. */
void perf_plan_watched(const struct perf_plan *plan, struct task_list *processes,
		       struct task_list *threads);

#endif
