/*
 * comm_history - earlier comms of wakers, and the processes they belonged to.
 *
 * A call stores only the tid of its waker. When the call is printed, the waker may have a new comm,
 * or the tid may belong to another thread. So earlier comms of threads that woke another one are
 * stored, each with the time until which it was valid. With more than COMM_HISTORY_MAX comms, the
 * oldest is overwritten. Owned and locked by the tasks.
 */
#ifndef TASKS_COMM_HISTORY_H
#define TASKS_COMM_HISTORY_H

#include "engine/base/idmap.h"

#include <stdbool.h>
#include <stdint.h>

#define COMM_HISTORY_MAX 65536u /* a power of two */

struct comm_history_entry {
	uint64_t until_ns;
	uint64_t before; /* number of the thread's previous entry, see count; 0: none */
	uint32_t tid;
	uint32_t pid, comm_id; /* both 0: the tid was unknown until then */
};

struct comm_history {
	struct idmap last; /* by tid of each waker: number of its latest entry, plus 1 */
	struct comm_history_entry *ring;
	uint64_t count; /* number of entries so far; the first entry has number 1 */
};

void comm_history_init(struct comm_history *names);
void comm_history_release(struct comm_history *names);
void comm_history_clear(struct comm_history *names);

/* Store the comms of this thread from now on. */
void comm_history_want(struct comm_history *names, uint32_t tid);
/* Add a comm that the thread had until until_ns. No-op if the thread is not a waker. */
void comm_history_add(struct comm_history *names, uint32_t tid, uint32_t pid, uint32_t comm_id,
		      uint64_t until_ns);
/*
 * Return the entry that was valid at a time. NULL: the current comm was valid. Borrowed until the
 * next add.
 */
const struct comm_history_entry *comm_history_find(const struct comm_history *names, uint32_t tid,
						   uint64_t time_ns);

#endif
