/*
 * target_change - the difference between two targets: tasks added and tasks removed.
 *
 * A command counts as a process. One thread.
 */
#ifndef PROCESS_TARGET_CHANGE_H
#define PROCESS_TARGET_CHANGE_H

#include "engine/process/proc_tasks.h"

struct target_change {
	struct task_list new_pids, new_tids, old_pids, old_tids;
	struct task_list fresh; /* processes that need events of their own now */
};

/* Compute new_* and old_*; the lists start empty. Previous contents are not released. */
void target_change_find(struct target_change *change, const struct task_list *old_pids,
			const struct task_list *old_tids, const struct task_list *pids,
			const struct task_list *tids);
void target_change_release(struct target_change *change);

#endif
