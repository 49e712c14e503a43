/*
 * perf_moves - events of tasks that are moved to another cgroup.
 *
 * The task that moves another one can be any task of the machine, so the events are on whole CPUs.
 * They need the permission for that; without them, owners are read again every second
 * (perf_owners.h). One thread.
 */
#ifndef LIVE_PERF_MOVES_H
#define LIVE_PERF_MOVES_H

#include "engine/source/live/perf_plan_state.h"

/* Open the events, disabled, and set plan->sees_moves. Without permission: none. */
void perf_moves_open(struct perf_plan *plan, const struct source_options *options);

#endif
