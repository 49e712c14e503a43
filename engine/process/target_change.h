/*
 * target_change - who is watched from now on and was not before, and the other way round.
 *
 * A command counts as a process. One thread.
 */
#ifndef PROCESS_TARGET_CHANGE_H
#define PROCESS_TARGET_CHANGE_H

#include "engine/process/proc_tasks.h"

struct target_change {
	struct task_list new_pids, new_tids, old_pids, old_tids;
	struct task_list fresh; /* processes that need events of their own from now on */
};

/* Fills it, whatever it had. */
void target_change_find(struct target_change *change, const struct task_list *old_pids,
			const struct task_list *old_tids, const struct task_list *pids,
			const struct task_list *tids);
void target_change_release(struct target_change *change);

#endif
