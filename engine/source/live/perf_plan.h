/*
 * perf_plan - which events are open, and on which tasks or CPUs.
 *
 * Three sets of events share the rings. The sideband events report names, mappings, forks and
 * exits. The wait events are switch-outs and wakeups with stacks (perf_waits.h); they are disabled
 * while no call is wanted. The call events are enters and exits, of all calls or of a few
 * (perf_syscall_events.h), on whole CPUs or on threads. They follow the filter (perf_calls.h).
 *
 * Where permitted, BPF programs report the calls (bpf_calls.h), for target processes too. Programs
 * at all calls slow down all tasks. While programs watch another process, a busy dd takes 1.8 times
 * as long; with events on threads, 1.07 times (Linux 6.18). Events cost the watched process twice
 * as much as programs and can lose records; programs count exactly.
 *
 * One thread; open and close may run on another one.
 */
#ifndef LIVE_PERF_PLAN_H
#define LIVE_PERF_PLAN_H

#include "engine/source/live/perf_plan_state.h"

/* On failure return -errno with a message that says what to do, and leave the plan empty. */
int perf_plan_open(struct perf_plan *plan, const struct source_options *options,
		   struct perf_decode *decode, struct err *err);
void perf_plan_close(struct perf_plan *plan);

int perf_plan_start(struct perf_plan *plan, struct err *err);
int perf_plan_set_running(struct perf_plan *plan, bool running, struct err *err);
/* Disable the wait events while no call is wanted; switch records continue. -errno. */
int perf_plan_set_idle(struct perf_plan *plan, bool idle, struct err *err);

/*
 * Count the records that each ring lost after its last record, which no LOST record reports. Call
 * while not running, after the rings were read. lost: one counter per ring.
 */
void perf_plan_lost_at_end(const struct perf_plan *plan, uint64_t *lost);

/* True if events on each thread of these tasks cost more than events on whole CPUs. */
bool perf_plan_has_too_many_tasks(const struct perf_plan *plan, const struct task_list *pids,
				  const struct task_list *tids);

/* Add a line and a short text for display. Calls are included only if perf events collect them. */
void perf_plan_describe(const struct perf_plan *plan, struct source_status *status);

#endif
