/*
 * descendants - which named process each watched one descends from.
 *
 * A process that is watched for what its parent is has to go with it when that is not watched
 * any more. Those that were given up are remembered too, while their events may still come.
 * One thread.
 */
#ifndef PERF_DESCENDANTS_H
#define PERF_DESCENDANTS_H

#include "engine/base/idmap.h"
#include "engine/record/task_table.h"

struct descendants {
	struct idmap heads; /* by pid: the process that was named */
};

void descendants_release(struct descendants *descendants);

/* From now on it is watched, with what it forks. */
void descendants_name(struct descendants *descendants, struct task_table *tasks, uint32_t pid);
/* A process was born, after task_table_fork(). */
void descendants_fork(struct descendants *descendants, const struct task_table *tasks, uint32_t pid,
		      uint32_t parent_pid);
/* The process that was named, of one that is watched; else itself. */
uint32_t descendants_head(const struct descendants *descendants, uint32_t pid);
/* All that descend from it, and itself, are given up (TASK_GIVEN_UP). */
void descendants_give_up(struct descendants *descendants, struct task_table *tasks, uint32_t pid);

#endif
