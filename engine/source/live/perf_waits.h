/*
 * perf_waits - the events of waits: switch-outs and wakeups, with stacks.
 *
 * Switch-outs are watched on the same tasks or CPUs as the calls. A wakeup event belongs to the
 * waker, so wakeups are watched on whole CPUs for any target, and perf_decode selects those whose
 * wakee is watched. If the kernel refuses either, tracing continues without it, and plan->note has
 * the reason. Part of perf_plan.
 */
#ifndef LIVE_PERF_WAITS_H
#define LIVE_PERF_WAITS_H

#include "engine/source/live/perf_plan_state.h"
#include "engine/source/perf/perf_attach.h"

/* Prepare the events. The ids are those of the tracepoints sched_switch and sched_waking. */
void perf_waits_prepare(struct perf_plan *plan, uint64_t switch_id, uint64_t waking_id);

/* Open the events, disabled; switch-outs at the places. A denied permission is not an error. */
int perf_waits_open(struct perf_plan *plan, const struct perf_attach *places,
		    char what[PERF_ATTACH_WHAT_BYTES]);
/*
 * Call after the target threads changed: if a kernel filter selects their wakeups, replace those
 * events by new ones with another filter, or with none.
 */
void perf_waits_pick_anew(struct perf_plan *plan);
/* perf_waits_open() may be called again afterwards. */
void perf_waits_close(struct perf_plan *plan);

/* Pass the sample types of the opened sets to the decoder. */
void perf_waits_describe(struct perf_plan *plan);

#endif
