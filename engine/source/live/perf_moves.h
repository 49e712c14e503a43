/*
 * perf_moves - events of tasks that are moved to another cgroup.
 *
 * Any task of the machine can move a watched one, so the events are on whole CPUs, which needs
 * permission. Without them, owners are read again every second (perf_owners.h). One thread.
 */
#ifndef LIVE_PERF_MOVES_H
#define LIVE_PERF_MOVES_H

#include "engine/source/live/perf_plan_state.h"

/* Open the events, disabled, and set plan->sees_moves. Without permission: no-op. */
void perf_moves_open(struct perf_plan *plan, const struct source_options *options);

#endif
