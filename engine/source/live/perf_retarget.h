/*
 * perf_retarget - other targets while it runs. A part of perf_plan, which see.
 *
 * Events on threads are opened for who is new and closed for who is given up, those of the others
 * stay as they are: nothing of theirs is lost. Events on whole CPUs stay, and the decoder
 * picks other tasks out. From threads to CPUs, a second set is opened before the first is
 * closed; there is no way back, since who was watched with everybody else may have children by
 * now whom nobody knows. One thread.
 */
#ifndef LIVE_PERF_RETARGET_H
#define LIVE_PERF_RETARGET_H

#include "engine/process/target_change.h"
#include "engine/source/live/perf_plan.h"

/*
 * filter: in force. On failure -errno with a sentence, and nothing has changed. *change
 * is the caller's to release in any case. A pid that is not there is -ESRCH.
 */
int perf_plan_set_target(struct perf_plan *plan, const struct target *target,
			 const struct kernel_filter *filter, struct target_change *change,
			 struct err *err);

/* After that: threads that have events of their own, but had none, or only their process's. */
void perf_plan_alone(const struct perf_plan *plan, const struct target_change *change,
		     struct task_list *alone);

#endif
