/*
 * perf_stack_limit - so many stacks of switch-outs and wakings on a CPU in a tenth of a second.
 *
 * A callchain takes some 3 us of whoever is sampled. Where a CPU has had its ration, the
 * events that take them there are disabled until the tenth is over, and wakings without stacks
 * enabled in place of those with; other CPUs keep theirs. PERF_RECORD_SWITCH goes on, so every
 * time and every waker is known all the same. The waits of this while are marked (perf_decode,
 * `stack_limited`), and the model shows for them the stack of an earlier one, as such; of who still
 * waits when the next ration begins, /proc tells where (perf_decode_take_stackless). A part of
 * perf_plan, which see. Deep stacks of processes that were named count twice and are rationed
 * too; those of whom somebody looks at have their own budget alone (perf_user_stacks.h). One
 * thread.
 */
#ifndef LIVE_PERF_STACK_LIMIT_H
#define LIVE_PERF_STACK_LIMIT_H

#include "engine/source/live/perf_plan_state.h"

#include <stdbool.h>
#include <stdint.h>

/* A second on one CPU: 30 ms of it, by what a callchain costs. */
#define PERF_STACK_LIMIT_DEFAULT 10000

/* With the rings open. a_second: stacks on one CPU, 0: the default. */
void perf_stack_limit_init(struct perf_plan *plan, uint32_t a_second);
/* The wakings without stacks, where there are those with; disabled. */
void perf_stack_limit_open(struct perf_plan *plan);
void perf_stack_limit_close(struct perf_plan *plan);

/* Either the wakings with stacks or those without, as it should be now. -errno. */
int perf_stack_limit_enable(struct perf_plan *plan);
void perf_stack_limit_disable(struct perf_plan *plan);

/* Keeps to the rations; after each drain. True where a new one began after a spent one. */
bool perf_stack_limit_settle(struct perf_plan *plan, uint64_t now_ns);

#endif
