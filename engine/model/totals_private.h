/*
 * totals_private - the fields of struct totals.
 *
 * Only for totals.c (counting), totals_fold.c (ended threads and processes) and totals_merge.c (the
 * totals of the reader).
 */
#ifndef MODEL_TOTALS_PRIVATE_H
#define MODEL_TOTALS_PRIVATE_H

#include "engine/base/idmap.h"
#include "engine/model/totals.h"
#include "engine/model/totals_cells.h"

/* A thread; with tid 0, the folded threads of a process. */
struct totals_thread {
	uint32_t tid;
	bool ended;
	struct owner *owner;
	struct totals_thread *next; /* next thread of the same owner */
	struct totals_thread *prev_of_all, *next_of_all;
	struct totals_cells cells;
};

/* Sum of all cells of a process and values computed from it; only in totals of the reader. */
struct owner_sum {
	struct totals_cell cell;
	struct totals_digest digest;
	bool digested;
};

/* A process. */
struct owner {
	uint32_t pid;
	bool ended;
	uint32_t ended_threads;
	uint64_t folded_processes; /* their number; only in a group */
	struct totals_label label; /* valid once ended */
	struct owner_sum *sum; /* NULL: not in totals of a reader */
	struct totals_thread *threads;
	struct totals_thread *folded; /* entry of the folded threads, also in `threads`; or NULL */
	struct owner *prev_ended, *next_ended;
};

struct totals {
	struct idmap threads; /* by pid and tid, without folded entries */
	struct idmap owners; /* by pid */
	/* thread of the last call: the next call is often of the same one; never an ended thread */
	struct totals_thread *last;
	uint64_t last_key;
	struct owner *first_ended, *last_ended; /* oldest first */
	size_t ended;
	size_t groups;
	struct totals_thread *all; /* newest first */
	size_t cells;
	struct totals_cells syscalls; /* in totals of the reader: sums of all processes */
};

static inline uint64_t totals_thread_key(uint32_t pid, uint32_t tid)
{
	return (uint64_t)pid << 32 | tid;
}

static inline bool totals_is_group(uint32_t pid)
{
	return pid >= TOTALS_GROUP_PID;
}

/* -- totals.c -- */

struct owner *totals_owner(struct totals *totals, uint32_t pid); /* find or create */
/* Find or create a thread. Thread and process then count as alive. */
struct totals_thread *totals_thread(struct totals *totals, uint32_t pid, uint32_t tid);
/* Return the entry for threads without an entry of their own; created if there is none. */
struct totals_thread *totals_folded(struct totals *totals, struct owner *owner);
struct totals_cell *totals_thread_cell(struct totals *totals, struct totals_thread *thread,
				       uint32_t nr);
void totals_unlink_of_all(struct totals *totals, struct totals_thread *thread);
void totals_free_thread(struct totals *totals, struct totals_thread *thread);
void totals_free_owner(struct totals *totals, struct owner *owner);

/* -- totals_fold.c -- */

void totals_unlink_ended(struct totals *totals, struct owner *owner);
void totals_label_group(struct owner *group, const struct totals_label *label, uint64_t processes);
/* Return the group's entry for processes with the identity comm_id. */
struct totals_thread *totals_group_thread(struct totals *totals, struct owner *group,
					  uint32_t comm_id);
void totals_thread_ended(struct totals *totals, struct totals_thread *thread);

/* -- totals_merge.c -- */

void owner_sum_free(struct owner_sum *sum);
void owner_sum_merge(struct owner *into, const struct owner *from);

#endif
