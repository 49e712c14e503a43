/*
 * futex_pending - queue of futexes whose mapping is unknown.
 *
 * The model does not read other processes. The engine takes these entries, reads the mapping and
 * passes an answer. At most FUTEX_PENDING_MAX entries of each kind are queued; further futexes are
 * queued at their next use. Owned and locked by the model.
 */
#ifndef TASKS_FUTEX_PENDING_H
#define TASKS_FUTEX_PENDING_H

#include "engine/tasks/futex_table.h"

#define FUTEX_PENDING_MAX 256 /* maximum number of each kind: private, shared */

struct futex_pending_entry {
	struct futex_key key;
	uint32_t pid;
};

struct futex_answer {
	bool found; /* there is a mapping; else the other fields are undefined */
	bool shared; /* other processes can map the same memory, at the place given by: */
	uint64_t device, inode, offset;
	const char *label; /* for display, escaped; copied */
};

struct futex_pending_entry_list {
	struct futex_pending_entry items[FUTEX_PENDING_MAX];
	size_t count;
};

/*
 * The caller takes `shared` first: until its mapping is known, a futex of two processes counts
 * twice.
 */
struct futex_pending {
	struct futex_pending_entry_list own, shared;
};

/* Queue the futex unless its mapping is known or queued. */
void futex_pending_add(struct futex_pending *questions, struct futex *futex);
/* Remove up to `max` entries, the oldest first, and copy them to `out`. Return their number. */
size_t futex_pending_take(struct futex_pending *questions, bool shared,
			  struct futex_pending_entry *out, size_t max);
void futex_pending_answer(struct futex_table *table, const struct futex_pending_entry *question,
			  const struct futex_answer *answer);

#endif
