/*
 * perf_user_stacks - switch-outs and wakeups with user registers and stack, for unwinding.
 *
 * A sample takes kilobytes. These events are therefore only for single processes. They have rings
 * of their own, where they displace no other records, and a budget of bytes per second. When the
 * budget is spent, they are disabled for the rest of the second and stacks fall back to frame
 * pointers.
 *
 * With events on tasks they replace the plain switch-outs. Otherwise both kinds are enabled, and
 * pairing chooses the better of two stacks.
 *
 * Part of perf_plan. One thread.
 */
#ifndef LIVE_PERF_USER_STACKS_H
#define LIVE_PERF_USER_STACKS_H

#include "engine/base/err.h"
#include "engine/source/live/perf_plan_state.h"
#include "engine/source/perf/perf_open.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PERF_USER_STACK_BYTES_DEFAULT 8192
#define PERF_USER_STACK_BYTES_MAX 65528 /* largest multiple of 8 in 16 bits */
#define PERF_USER_STACK_BUDGET_DEFAULT (64u << 20)

struct perf_attach;
struct source_options;

/* Return how many stack bytes per sample the options request; 0: no stacks are unwound. */
uint32_t perf_user_stack_bytes(const struct source_options *options);
/* Prepare the events; call after perf_waits_open(). Opens no event. */
void perf_user_stack_prepare(struct perf_plan *plan, const struct source_options *options);

/*
 * Open the events on the places, disabled; none may be open yet. On failure return -errno with a
 * message, and no event is open.
 */
int perf_user_stack_open(struct perf_plan *plan, const struct perf_attach *places, struct err *err);
/* Replace the sampled processes at once. No effect if target processes have these events anyway. */
int perf_user_stack_set(struct perf_plan *plan, const uint32_t *pids, size_t count,
			struct err *err);
/* Add places, if target processes have these events. With too many events, close them all. */
void perf_user_stack_add(struct perf_plan *plan, const struct perf_attach *places);
/* Close the events: no process is a target any more, or targets are selected on whole CPUs. */
void perf_user_stack_leave_targets(struct perf_plan *plan);
void perf_user_stack_close(struct perf_plan *plan);

/* Enable the switch-outs with user stacks or the plain ones, as the budget requires. -errno. */
int perf_user_stack_enable(struct perf_plan *plan);
int perf_user_stack_enable_on(struct perf_plan *plan, uint32_t ring);
void perf_user_stack_disable(struct perf_plan *plan);

/* Account one record of these rings. False for PERF_RECORD_LOST, which is only counted. */
bool perf_user_stack_take(struct perf_user_stack *user_stacks,
			  const struct perf_event_header *header);
/* Apply the budget; call after each drain. */
void perf_user_stack_settle(struct perf_plan *plan, uint64_t now_ns);

#endif
