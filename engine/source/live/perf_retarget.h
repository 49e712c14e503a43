/*
 * perf_retarget - replaces the target while tracing runs. Part of perf_plan.
 *
 * With events on threads, events are opened for added tasks and closed for removed ones. The events
 * of all other tasks stay open, so those tasks lose no records. Events on whole CPUs stay open, and
 * the decoder selects the new tasks.
 *
 * A change from threads to CPUs opens the second set before it closes the first. A change back is
 * impossible: a task that was watched as part of the whole system can have unknown children.
 *
 * One thread.
 */
#ifndef LIVE_PERF_RETARGET_H
#define LIVE_PERF_RETARGET_H

#include "engine/process/target_change.h"
#include "engine/source/live/perf_plan.h"

/*
 * Replace the target. filter: the filter in force. On failure return -errno with a message and
 * change nothing. -ESRCH if a pid does not exist. The caller releases *change in any case.
 */
int perf_plan_set_target(struct perf_plan *plan, const struct target *target,
			 const struct kernel_filter *filter, struct target_change *change,
			 struct err *err);

/*
 * Call after perf_plan_set_target(). List the threads that need events of their own now: before,
 * they had none or only those of their process.
 */
void perf_plan_alone(const struct perf_plan *plan, const struct target_change *change,
		     struct task_list *alone);

#endif
