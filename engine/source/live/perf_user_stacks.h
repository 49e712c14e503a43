/*
 * perf_user_stacks - switch-outs and wakings with the user's registers and stack, to be unwound.
 *
 * Kilobytes each, so they are for single processes, have rings of their own where they can
 * crowd out nothing else, and a budget of bytes per second. Past it they are disabled for
 * the rest of the second, and whoever cannot be unwound has frame pointers. Where
 * everything is on tasks they stand in for the plain switch-outs; else they are beside them,
 * and pairing keeps the better one of two. A part of perf_plan, which see. One thread.
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
#define PERF_USER_STACK_BYTES_MAX 65528 /* what a multiple of 8 in 16 bits can be */
#define PERF_USER_STACK_BUDGET_DEFAULT (64u << 20)

struct perf_attach;
struct source_options;

/* How much of a stack is taken, by what the user wants; 0: no stack is to be unwound. */
uint32_t perf_user_stack_bytes(const struct source_options *options);
/* After perf_waits_open(): what to open. Opens nothing. */
void perf_user_stack_prepare(struct perf_plan *plan, const struct source_options *options);

/* Disabled, on the places in place of what it was on. -errno with a sentence, nothing is open. */
int perf_user_stack_open(struct perf_plan *plan, const struct perf_attach *places, struct err *err);
/* On these processes, at once; where named processes have them anyway, nothing changes. */
int perf_user_stack_set(struct perf_plan *plan, const uint32_t *pids, size_t count,
			struct err *err);
/* On these too, where named processes have them; where that is too much, nobody has. */
void perf_user_stack_add(struct perf_plan *plan, const struct perf_attach *places);
/* Nobody is named any more, or everybody is picked out on whole CPUs. */
void perf_user_stack_leave_targets(struct perf_plan *plan);
void perf_user_stack_close(struct perf_plan *plan);

/* Either the deep or the plain switch-outs, as it should be now. -errno. */
int perf_user_stack_enable(struct perf_plan *plan);
int perf_user_stack_enable_on(struct perf_plan *plan, uint32_t ring);
void perf_user_stack_disable(struct perf_plan *plan);

/* A record of these rings was read: it counts, and losses are to be told nobody else. */
bool perf_user_stack_take(struct perf_user_stack *user_stacks,
			  const struct perf_event_header *header);
/* Keeps to the budget; after each drain. */
void perf_user_stack_settle(struct perf_plan *plan, uint64_t now_ns);

#endif
