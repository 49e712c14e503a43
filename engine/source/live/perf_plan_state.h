/*
 * perf_plan_state - the events that are open, and what perf_plan knows of them.
 *
 * For perf_plan.c, which opens and closes it, and for the parts of perf_plan, each with events of
 * its own: perf_calls.h, perf_waits.h, perf_user_stacks.h, perf_stack_limit.h, perf_cpu_clock.h.
 * Times and rates are in the units that the fields name. One thread.
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

/* What the events are opened on. */
enum perf_reach {
	PERF_REACH_SYSTEM, /* every task on the rings' CPUs */
	PERF_REACH_SELECT, /* the same, of which the watched tasks are kept: too many for ... */
	PERF_REACH_TASKS, /* ... events on each thread, inherited by what it starts */
};

/* A set of calls that was replaced but is enabled still, see perf_calls.c. */
struct perf_retiring {
	struct perf_event_set probes;
	uint8_t period;
	uint64_t end_ns;
	struct perf_forks forks; /* that began before the set was replaced */
};

#define PERF_RETIRING_MAX 3 /* each costs its share of every call */

/* See perf_user_stacks.h. */
struct perf_user_stack {
	struct perf_rings rings; /* none before the first events */
	struct perf_recipe recipe;
	struct perf_event_set probes;
	uint32_t stack_bytes; /* 0: not wanted */
	bool stands_in; /* the plain switch-outs are disabled meanwhile */
	bool paused;
	uint64_t budget; /* bytes per second */
	uint64_t second_ends_ns, second_bytes, last_second_bytes;
	bool hit_now, hit_before; /* in this second and in the last one */
	uint64_t lost;
	char note[ERR_TEXT_BYTES]; /* why the process last asked for has none */
};

/* See perf_stack_limit.h. */
struct perf_stack_limit {
	struct perf_recipe recipe;
	struct perf_event_set wakers; /* without stacks; none: nobody has wakers */
	uint64_t allowed; /* on one CPU in a tenth of a second */
	uint64_t window_ends_ns;
	bool hit_now, hit_before; /* in this window and in the last one */
};

struct perf_plan {
	struct perf_decode *decode; /* borrowed: ids, periods and watched tasks */
	struct perf_rings rings;
	struct perf_closer closer;
	enum perf_reach reach;
	struct task_list pids, tids, own;
	/* Processes that were named while the events of a family were on them, and its head. */
	struct task_list nested, nested_in;
	bool calls_elsewhere; /* not by events: see bpf_calls.h */
	bool wakers_selected; /* by a filter in the kernel, for threads that were named */
	bool initial_pids; /* tracepoints' own fields hold the pids that we see */
	struct perf_recipe side_recipe, waits_recipe, waker_recipe, call_recipe;
	struct perf_event_set side, waits, wakers, calls;
	struct perf_recipe running_recipe;
	struct perf_event_set computing; /* see perf_cpu_clock.h */
	struct perf_user_stack user_stacks;
	struct perf_stack_limit stack_limit;
	syscall_event_fn *syscall_event;
	struct perf_syscall_events singles; /* what `calls` are, if of a few calls alone */
	struct str call_filter; /* the filter string of `calls` */
	bool narrowed; /* calls are on the threads that the filter names */
	bool nothing; /* the filter matches no call: calls is empty */
	uint8_t period; /* of calls */
	struct task_list opened; /* threads that calls are on, if they are on threads */
	struct task_list narrow_pids; /* with `narrowed`: the processes that calls are on */
	struct perf_retiring retiring[PERF_RETIRING_MAX]; /* oldest first */
	unsigned int retiring_count;
	bool started, running;
	bool idle; /* no call is wanted, so nobody looks at stacks of waits */
	char note[256];
};

/* Whether the events of waits are to be enabled. */
static inline bool perf_plan_asks_waits(const struct perf_plan *plan)
{
	return plan->started && plan->running && !plan->idle;
}

/* In perf_plan.c: the processes and threads watched now, for reading what exists already. */
void perf_plan_watched(const struct perf_plan *plan, struct task_list *processes,
		       struct task_list *threads);

#endif
