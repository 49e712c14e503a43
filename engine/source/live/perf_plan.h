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

#include "engine/source/live/perf_plan_state.h"

/* -errno with a sentence that says what to do; the plan is empty then. */
int perf_plan_open(struct perf_plan *plan, const struct source_options *options,
		   struct perf_decode *decode, struct err *err);
void perf_plan_close(struct perf_plan *plan);

int perf_plan_start(struct perf_plan *plan, struct err *err);
int perf_plan_set_running(struct perf_plan *plan, bool running, struct err *err);
/* What calls wait for is not asked while none is wanted; switches go on. -errno. */
int perf_plan_set_idle(struct perf_plan *plan, bool idle, struct err *err);

/*
 * While not running and with the rings read: how many records each ring lost after the
 * last one that it could take, which no record tells. lost: one for each ring.
 */
void perf_plan_lost_at_end(const struct perf_plan *plan, uint64_t *lost);

/* So many threads that events on each of them cost more than whole CPUs. */
bool perf_plan_has_too_many_tasks(const struct perf_plan *plan, const struct task_list *pids,
				  const struct task_list *tids);

/* For people: a line, and a word or two. Of calls only if it is events that tell of them. */
void perf_plan_describe(const struct perf_plan *plan, struct source_status *status);

#endif
