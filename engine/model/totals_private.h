/*
 * totals_private - the fields of totals.
 *
 * For totals.c (counting), totals_fold.c (what ended) and totals_merge.c (the reader's) only.
 */
#ifndef MODEL_TOTALS_PRIVATE_H
#define MODEL_TOTALS_PRIVATE_H

#include "engine/base/idmap.h"
#include "engine/model/totals.h"
#include "engine/model/totals_cells.h"

/* A thread, or with tid 0 those of a process that were folded. */
struct totals_thread {
	uint32_t tid;
	bool ended;
	struct owner *owner;
	struct totals_thread *next; /* of the same owner */
	struct totals_thread *prev_of_all, *next_of_all;
	struct totals_cells cells;
};

/* The reader's: everything of a process in one cell, and what was found out of it. */
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
	uint64_t folded_processes; /* of a group */
	struct totals_label label; /* once it ended */
	struct owner_sum *sum; /* NULL: these are not the reader's */
	struct totals_thread *threads;
	struct totals_thread *folded; /* one of them, or NULL */
	struct owner *prev_ended, *next_ended;
};

struct totals {
	struct idmap threads; /* by pid and tid; not the folded ones */
	struct idmap owners; /* by pid */
	struct totals_thread *last; /* calls come in runs of one thread; never one that ended */
	uint64_t last_key;
	struct owner *first_ended, *last_ended; /* oldest first */
	size_t ended;
	size_t groups;
	struct totals_thread *all; /* newest first */
	size_t cells;
	struct totals_cells syscalls; /* the reader's: sums of all processes */
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

struct owner *totals_owner(struct totals *totals, uint32_t pid); /* made if there is none */
/* The same of its thread, which has not ended, nor has the process. */
struct totals_thread *totals_thread(struct totals *totals, uint32_t pid, uint32_t tid);
/* Where the sums of threads without an identity of their own go. */
struct totals_thread *totals_folded(struct totals *totals, struct owner *owner);
struct totals_cell *totals_thread_cell(struct totals *totals, struct totals_thread *thread,
				       uint32_t nr);
void totals_unlink_of_all(struct totals *totals, struct totals_thread *thread);
void totals_free_thread(struct totals *totals, struct totals_thread *thread);
void totals_free_owner(struct totals *totals, struct owner *owner);

/* -- totals_fold.c -- */

void totals_unlink_ended(struct totals *totals, struct owner *owner);
void totals_label_group(struct owner *group, const struct totals_label *label, uint64_t processes);
/* Where the sums of processes of this owner go that are folded into the group. */
struct totals_thread *totals_group_thread(struct totals *totals, struct owner *group,
					  uint32_t comm_id);
void totals_thread_ended(struct totals *totals, struct totals_thread *thread);

/* -- totals_merge.c -- */

void owner_sum_free(struct owner_sum *sum);
void owner_sum_merge(struct owner *into, const struct owner *from);

#endif
