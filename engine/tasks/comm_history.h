/*
 * comm_history - what wakers were called before, and whose threads they were.
 *
 * A call keeps its waker's number alone, and whoever writes it down may look when that is called
 * otherwise, or is another thread's. Of threads that woke somebody, the names that they had until
 * a time are kept, the last so many of all. Owned and locked by the tasks.
 */
#ifndef TASKS_COMM_HISTORY_H
#define TASKS_COMM_HISTORY_H

#include "engine/base/idmap.h"

#include <stdbool.h>
#include <stdint.h>

#define COMM_HISTORY_MAX 65536u /* a power of two */

struct comm_history_entry {
	uint64_t until_ns;
	uint64_t before; /* the thread's former one, counted as in struct comm_history; 0: none */
	uint32_t tid;
	uint32_t pid, comm_id; /* both 0: nobody had heard of it */
};

struct comm_history {
	struct idmap last; /* of each waker: its last former name, and one more */
	struct comm_history_entry *ring;
	uint64_t count; /* of all that came, from 1 on */
};

void comm_history_init(struct comm_history *names);
void comm_history_release(struct comm_history *names);
void comm_history_clear(struct comm_history *names);

/* From now on its names are kept. */
void comm_history_want(struct comm_history *names, uint32_t tid);
/* It was called that until then. */
void comm_history_add(struct comm_history *names, uint32_t tid, uint32_t pid, uint32_t comm_id,
		      uint64_t until_ns);
/* What it was called at a time; NULL: what it is called now. Until the next one is added. */
const struct comm_history_entry *comm_history_find(const struct comm_history *names, uint32_t tid,
						   uint64_t time_ns);

#endif
