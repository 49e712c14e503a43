/*
 * perf_waits - the events of what calls wait for: switch-outs and wakings, with stacks.
 *
 * Switch-outs are watched where the calls are. A waking happens to whoever wakes, so
 * wakings are watched on whole CPUs whatever the targets are, and perf_decode keeps
 * those whose wakee is watched. Both are done without where the kernel
 * refuses, and plan->note says why. A part of perf_plan, which see.
 */
#ifndef LIVE_PERF_WAITS_H
#define LIVE_PERF_WAITS_H

#include "engine/source/live/perf_plan_state.h"
#include "engine/source/perf/perf_attach.h"

/* What to open, by the ids of sched_switch and sched_waking. */
void perf_waits_prepare(struct perf_plan *plan, uint64_t switch_id, uint64_t waking_id);

/* Disabled; switch-outs at the places. What is not permitted is no error. */
int perf_waits_open(struct perf_plan *plan, const struct perf_attach *places,
		    char what[PERF_ATTACH_WHAT_BYTES]);
/* perf_waits_open() may be tried again afterwards. */
/*
 * The threads that were named are others now: where a filter in the kernel picks their wakings,
 * events with another one, or with none, take over.
 */
void perf_waits_pick_anew(struct perf_plan *plan);
void perf_waits_close(struct perf_plan *plan);

/* Tells the decoder what the sets that were opened will bring. */
void perf_waits_describe(struct perf_plan *plan);

#endif
