/*
 * task_table - maps thread ids to process ids and flags, such as whether a task is watched.
 *
 * One word per possible id, read several times per record. Memory of unused ids is never touched.
 * Ids out of range are treated as unknown. One thread.
 */
#ifndef RECORD_TASK_TABLE_H
#define RECORD_TASK_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#define TASK_WATCHED_PROCESS 0x80000000u /* on a pid: the process and its descendants are watched */
#define TASK_WATCHED_THREAD 0x40000000u /* on a tid: only this thread is watched */
#define TASK_OWN 0x20000000u /* on a tid or pid: belongs to stxtop */
#define TASK_NAMED 0x10000000u /* on a tid: not watched, but its name was emitted */
#define TASK_STACKLESS 0x08000000u /* on a tid: the thread waits, and its stack was not sampled */
#define TASK_LISTED 0x04000000u /* on a tid: is in `stackless` of struct perf_decode */
#define TASK_OWNED 0x02000000u /* on a tid: its task owner was emitted, see perf_owners.h */
#define TASK_GIVEN_UP 0x01000000u /* on a tid or pid: no longer watched, see descendants.h */
#define TASK_MET 0x00800000u /* on a tid: its name is known, see perf_waker_names.h */
#define TASK_PID_MASK 0x003fffffu
#define TASK_IDS (1u << 22) /* PID_MAX_LIMIT of 64-bit kernels */

struct task_table {
	uint32_t *words; /* TASK_IDS words */
};

/* Reserve the table; pages are allocated on first use. -ENOMEM if address space is exhausted. */
int task_table_init(struct task_table *table);
void task_table_release(struct task_table *table);

static inline uint32_t task_table_word(const struct task_table *table, uint32_t id)
{
	return id < TASK_IDS ? table->words[id] : 0;
}

/* Return the process of a thread; 0: unknown. */
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

/* Clear flags of all tasks. Walks the whole table. */
void task_table_unmark_all(struct task_table *table, uint32_t flags);

/* Forget an exited task: the kernel can reuse its id for a task without records. */
static inline void task_table_forget(struct task_table *table, uint32_t tid)
{
	if (tid < TASK_IDS)
		table->words[tid] = 0;
}

/*
 * Add a new task and forget the previous task with its id. A process inherits TASK_WATCHED_PROCESS
 * and TASK_GIVEN_UP from its parent. Every task inherits TASK_OWN, because stxtop forks processes
 * while it traces, such as a replacement worker.
 */
void task_table_fork(struct task_table *table, uint32_t pid, uint32_t tid, uint32_t parent_pid);

#endif
