/*
 * perf_plan - which events are open, and on what.
 *
 * Three sets of events share the rings: the side events (names, mappings, births
 * and deaths) and the waits (switch-outs and wakings with stacks, see perf_waits.h)
 * stay as they are, but that these are off while no call is wanted; the calls (enters and
 * exits) follow the filter, see perf_calls.h, as events of all calls or of a few
 * (perf_syscall_events.h), on whole CPUs or on threads.
 * Named processes are watched by programs (bpf_calls.h) where that is allowed, though
 * these cost everybody else, unless a few calls alone are wanted (bpf_plan.h): a busy dd that
 * nobody watches takes 1.8 times its time while another process is watched by programs, and
 * 1.07 times by events on threads (Linux 6.18). But events take twice as long for the
 * watched one and may be lost; programs count exactly.
 * One thread; open and close may be on another one.
 */
#ifndef LIVE_PERF_PLAN_H
#define LIVE_PERF_PLAN_H

#include "engine/base/err.h"
#include "engine/base/str.h"
#include "engine/process/proc_tasks.h"
#include "engine/source/live/perf_stack_limit.h"
#include "engine/source/live/perf_syscall_events.h"
#include "engine/source/live/perf_user_stacks.h"
#include "engine/source/perf/perf_closer.h"
#include "engine/source/perf/perf_decode.h"
#include "engine/source/perf/perf_event_set.h"
#include "engine/source/perf/perf_forks.h"
#include "engine/source/perf/perf_rings.h"
#include "engine/source/source.h"

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

struct perf_plan {
	struct perf_decode *decode; /* borrowed: ids, periods and watched tasks */
	struct perf_rings rings;
	struct perf_closer closer;
	enum perf_reach reach;
	struct task_list pids, tids, own;
	/* Processes that were named while the events of a family were on them, and its head. */
	struct task_list nested, nested_in;
	bool calls_elsewhere; /* not by events: see bpf_calls.h */
	bool wakers_picked; /* by a filter in the kernel, for threads that were named */
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

/* -errno with a sentence that says what to do; the plan is empty then. */
int perf_plan_open(struct perf_plan *plan, const struct source_options *options,
		   struct perf_decode *decode, struct err *err);
void perf_plan_close(struct perf_plan *plan);

int perf_plan_start(struct perf_plan *plan, struct err *err);
int perf_plan_set_running(struct perf_plan *plan, bool running, struct err *err);
/* What calls wait for is not asked while none is wanted; switches go on. -errno. */
int perf_plan_set_idle(struct perf_plan *plan, bool idle, struct err *err);
/* Whether the events of waits are to be enabled. */
static inline bool perf_plan_asks_waits(const struct perf_plan *plan)
{
	return plan->started && plan->running && !plan->idle;
}

/*
 * While not running and with the rings read: how many records each ring lost after the
 * last one that it could take, which no record tells. lost: one for each ring.
 */
void perf_plan_lost_at_end(const struct perf_plan *plan, uint64_t *lost);

/* So many threads that events on each of them cost more than whole CPUs. */
bool perf_plan_has_too_many_tasks(const struct perf_plan *plan, const struct task_list *pids,
				  const struct task_list *tids);

/* The processes and threads that are watched now, for reading what exists already. */
void perf_plan_watched(const struct perf_plan *plan, struct task_list *processes,
		       struct task_list *threads);

/* For people: a line, and a word or two. Of calls only if it is events that tell of them. */
void perf_plan_describe(const struct perf_plan *plan, struct source_status *status);

#endif
