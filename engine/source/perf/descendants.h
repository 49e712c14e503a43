/*
 * descendants - maps each watched process to the target process that it descends from.
 *
 * A process that is watched only as a descendant of a target is removed together with that target.
 * Removed processes stay marked while records of their events can still arrive. One thread.
 */
#ifndef PERF_DESCENDANTS_H
#define PERF_DESCENDANTS_H

#include "engine/base/idmap.h"
#include "engine/record/task_table.h"

struct descendants {
	struct idmap heads; /* maps a pid to that of its target process */
};

void descendants_release(struct descendants *descendants);

/* Watch a target process and the processes that it forks. */
void descendants_name(struct descendants *descendants, struct task_table *tasks, uint32_t pid);
/* Account a new process; call after task_table_fork(). */
void descendants_fork(struct descendants *descendants, const struct task_table *tasks, uint32_t pid,
		      uint32_t parent_pid);
/* Return the target process of a watched process; for any other process, return `pid`. */
uint32_t descendants_head(const struct descendants *descendants, uint32_t pid);
/* Remove a target process and its descendants: mark them TASK_GIVEN_UP. */
void descendants_give_up(struct descendants *descendants, struct task_table *tasks, uint32_t pid);

#endif
