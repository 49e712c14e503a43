/*
 * task_limit - bounds the number of tasks that a recording creates in the model.
 *
 * A live kernel is limited to as many threads as fit in memory; each record of a recording can name
 * a new thread. Records with a tid that no kernel assigns, or an impossible time, are rejected.
 * While more than TASK_LIMIT_MAX tasks are alive, the next task in tid order is evicted. Totals
 * stay exact; a call in flight of an evicted task gets no exit. One thread.
 */
#ifndef COLLECTOR_TASK_LIMIT_H
#define COLLECTOR_TASK_LIMIT_H

#include "engine/record/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TASK_LIMIT_TIDS (1u << 22) /* PID_MAX_LIMIT of the kernel */
#define TASK_LIMIT_MAX ((size_t)128 << 10)

#define TASK_LIMIT_TIME_MAX (1ULL << 62) /* over 100 years of uptime, in ns */

struct task_limit {
	uint64_t *known; /* bitmap by tid; owned */
	size_t count, most;
	uint32_t next; /* tid from which the next eviction searches */
	uint64_t evicted; /* tasks, so far */
	uint64_t rejected; /* records, so far */
};

void task_limit_init(struct task_limit *task_limit, size_t most);
void task_limit_release(struct task_limit *task_limit);
void task_limit_clear(struct task_limit *task_limit);

/* Account the tasks of a record. False: reject the record. */
bool task_limit_admit(struct task_limit *task_limit, const struct record *record);
/*
 * True while too many tasks are alive: *record is the exit record of the evicted task, to be fed
 * before the current record.
 */
bool task_limit_next_evicted(struct task_limit *task_limit, uint64_t time_ns,
			     struct record *record);

#endif
