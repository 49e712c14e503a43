/*
 * task_table - thread id to process id, and which of them are watched.
 *
 * One word for each possible id, looked up several times per record; the memory of
 * ids that were never used is never touched. Ids out of range are nobody.
 * One thread.
 */
#ifndef RECORD_TASK_TABLE_H
#define RECORD_TASK_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#define TASK_WATCHED_PROCESS 0x80000000u /* on a pid: it and what it forks */
#define TASK_WATCHED_THREAD 0x40000000u /* on a tid: it alone */
#define TASK_OWN 0x20000000u /* on a tid or pid: this program's */
#define TASK_NAMED 0x10000000u /* on a tid: not watched, but its name was told */
#define TASK_STACKLESS 0x08000000u /* on a tid: it waits, and no stack of that was taken */
#define TASK_LISTED 0x04000000u /* on a tid: it is in perf_decode's list of these */
#define TASK_OWNED 0x02000000u /* on a tid: whose it is was told, see perf_owners.h */
#define TASK_GIVEN_UP 0x01000000u /* on a tid or pid: was watched, see descendants.h */
#define TASK_MET 0x00800000u /* on a tid: its name is known, see perf_waker_names.h */
#define TASK_PID_MASK 0x003fffffu
#define TASK_IDS (1u << 22) /* PID_MAX_LIMIT of 64-bit kernels */

struct task_table {
	uint32_t *words; /* TASK_IDS of them */
};

/* -ENOMEM where not even the address space is to be had. */
int task_table_init(struct task_table *table);
void task_table_release(struct task_table *table);

static inline uint32_t task_table_word(const struct task_table *table, uint32_t id)
{
	return id < TASK_IDS ? table->words[id] : 0;
}

/* The process of a thread; 0 unknown. */
static inline uint32_t task_table_pid(const struct task_table *table, uint32_t tid)
{
	return task_table_word(table, tid) & TASK_PID_MASK;
}

static inline void task_table_set_pid(struct task_table *table, uint32_t tid, uint32_t pid)
{
	if (tid < TASK_IDS && pid < TASK_IDS)
		table->words[tid] = (table->words[tid] & ~TASK_PID_MASK) | pid;
}

static inline void task_table_mark(struct task_table *table, uint32_t id, uint32_t flags)
{
	if (id < TASK_IDS)
		table->words[id] |= flags;
}

static inline bool task_table_watched(const struct task_table *table, uint32_t pid, uint32_t tid)
{
	return task_table_word(table, pid) & TASK_WATCHED_PROCESS ||
	       task_table_word(table, tid) & TASK_WATCHED_THREAD;
}

static inline void task_table_unmark(struct task_table *table, uint32_t id, uint32_t flags)
{
	if (id < TASK_IDS)
		table->words[id] &= ~flags;
}

/* Takes flags from all tasks: goes over the whole table. */
void task_table_unmark_all(struct task_table *table, uint32_t flags);

/* A task ended: its id may soon be another's, of whom we would not hear. */
static inline void task_table_forget(struct task_table *table, uint32_t tid)
{
	if (tid < TASK_IDS)
		table->words[tid] = 0;
}

/*
 * A task was born: forgets what its id meant before; inherits the watch of its parent, or that it
 * was given up. What this program starts while it watches is its own too, a worker that takes
 * over for another.
 */
void task_table_fork(struct task_table *table, uint32_t pid, uint32_t tid, uint32_t parent_pid);

#endif
