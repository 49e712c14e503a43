/*
 * task_limit - how many threads of a recording are known at once.
 *
 * A live kernel has as many threads as it has memory for; a recording may name four thousand
 * million of them in a few bytes. So a thread of a number that no kernel gives is nobody, and
 * with more than TASK_LIMIT_MAX at once others are taken for gone, each in its turn. Totals stay
 * exact; a call that such a thread was in has no end. Nor is a record of a time that no clock
 * comes to anybody's. One thread.
 */
#ifndef COLLECTOR_TASK_LIMIT_H
#define COLLECTOR_TASK_LIMIT_H

#include "engine/record/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TASK_LIMIT_TIDS (1u << 22) /* PID_MAX_LIMIT of the kernel */
#define TASK_LIMIT_MAX ((size_t)128 << 10)

#define TASK_LIMIT_TIME_MAX (1ULL << 62) /* a hundred years after the machine was started */

struct task_limit {
	uint64_t *known; /* a bit for each number; owned */
	size_t count, most;
	uint32_t next; /* whose turn it is to be gone */
	uint64_t evicted; /* so many were taken for that */
	uint64_t rejected; /* records of what cannot be */
};

void task_limit_init(struct task_limit *task_limit, size_t most);
void task_limit_release(struct task_limit *task_limit);
void task_limit_clear(struct task_limit *task_limit);

/* False: it is nobody's, to be left out. */
bool task_limit_admit(struct task_limit *task_limit, const struct record *record);
/* Who is gone by now, as there are too many: its record, to be fed in front. False: nobody. */
bool task_limit_next_evicted(struct task_limit *task_limit, uint64_t time_ns,
			     struct record *record);

#endif
