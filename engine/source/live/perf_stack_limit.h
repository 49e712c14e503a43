/*
 * perf_stack_limit - limits the stacks of switch-outs and wakeups per CPU and 100 ms.
 *
 * A callchain costs the sampled task about 3 us. When a CPU reaches the limit, its events with
 * stacks are disabled until the window ends. Wakeup events without stacks replace those with
 * stacks. Other CPUs keep their events. PERF_RECORD_SWITCH continues, so the times and wakers of
 * all waits stay known.
 *
 * Waits during the pause are marked (perf_decode, `stack_limited`). For these the model shows the
 * stack of an earlier wait, marked as such. If a thread still waits when the next window begins,
 * /proc provides its stack (perf_decode_take_stackless).
 *
 * User stacks of target processes count twice and are limited too. User stacks of the process in
 * focus have only their own budget (perf_user_stacks.h).
 *
 * Part of perf_plan. One thread.
 */
#ifndef LIVE_PERF_STACK_LIMIT_H
#define LIVE_PERF_STACK_LIMIT_H

#include "engine/source/live/perf_plan_state.h"

#include <stdbool.h>
#include <stdint.h>

/* Stacks per second and CPU: 30 ms of CPU time at 3 us per callchain. */
#define PERF_STACK_LIMIT_DEFAULT 10000

/* Call with the rings open. a_second: stacks per second and CPU, 0: the default. */
void perf_stack_limit_init(struct perf_plan *plan, uint32_t a_second);
/* Open the wakeups without stacks, disabled, if there are wakeups with stacks. */
void perf_stack_limit_open(struct perf_plan *plan);
void perf_stack_limit_close(struct perf_plan *plan);

/* Enable either the wakeups with stacks or those without, as the limit requires. -errno. */
int perf_stack_limit_enable(struct perf_plan *plan);
void perf_stack_limit_disable(struct perf_plan *plan);

/* Apply the limit after each drain. True if a new window begins after the limit was reached. */
bool perf_stack_limit_settle(struct perf_plan *plan, uint64_t now_ns);

#endif
