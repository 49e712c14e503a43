/*
 * futex_pending - futexes of which nobody looked yet what memory they are in.
 *
 * The model does not read other processes: who may asks for these, finds out, and
 * answers. A bounded number waits; others are asked about when they are used
 * again. Owned and locked by the model.
 */
#ifndef TASKS_FUTEX_PENDING_H
#define TASKS_FUTEX_PENDING_H

#include "engine/tasks/futex_table.h"

#define FUTEX_PENDING_MAX 256 /* of each kind */

struct futex_pending_entry {
	struct futex_key key;
	uint32_t pid;
};

struct futex_answer {
	bool found; /* something is mapped there; else the rest is meaningless */
	bool shared; /* others can map the same, at this place: */
	uint64_t device, inode, offset;
	const char *label; /* for people, escaped; copied */
};

struct futex_pending_entry_list {
	struct futex_pending_entry items[FUTEX_PENDING_MAX];
	size_t count;
};

/* Shared ones are urgent: until they are answered, two processes' futexes are not one. */
struct futex_pending {
	struct futex_pending_entry_list own, shared;
};

/* Unless it is answered, or waits already. */
void futex_pending_add(struct futex_pending *questions, struct futex *futex);
/* Takes up to max. */
size_t futex_pending_take(struct futex_pending *questions, bool shared,
			  struct futex_pending_entry *out, size_t max);
void futex_pending_answer(struct futex_table *table, const struct futex_pending_entry *question,
			  const struct futex_answer *answer);

#endif
