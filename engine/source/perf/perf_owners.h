/*
 * perf_owners - whose threads are, where events alone tell of their calls.
 *
 * No event tells a thread's user or cgroup, so while a filter asks for them /proc is read: when
 * a thread is met first, at whichever end of a call, after it executed a program or changed its
 * user, and again after a second. What a thread did in the moments before it was read may be
 * told as its next owner's. A reader looks (engine/helper/reader.h), as memory of a process that
 * ends meanwhile is freed by the one that reads its status, with the files that are mapped in it.
 * One that does not answer soon is not waited for again before it has: until then nothing is told.
 * One thread.
 */
#ifndef PERF_PERF_OWNERS_H
#define PERF_PERF_OWNERS_H

#include "engine/process/proc_owner.h"
#include "engine/process/proc_stat.h"
#include "engine/process/proc_tasks.h"
#include "engine/record/task_table.h"
#include "engine/source/source.h"

struct reader;

struct perf_owners {
	bool wanted;
	struct reader *reader; /* nobody else's; NULL: /proc is read here. Borrowed */
	bool under_way; /* a question that was not answered in time */
	struct task_list known; /* those with TASK_OWNED */
	uint64_t forget_ns; /* when all of them are to be asked again */
	struct proc_owner owner;
	char comm[PROC_COMM_BYTES];
};

void perf_owners_release(struct perf_owners *owners);

/* From now on owners are wanted, or not; all of them are asked for again. */
void perf_owners_want(struct perf_owners *owners, struct task_table *tasks, bool wanted);

/*
 * A call's enter or exit is about to be told: true if a record of its thread's owner, which
 * this makes of the other one, has to go before it.
 */
bool perf_owners_before(struct perf_owners *owners, struct task_table *tasks,
			const struct record *call, struct record *record);

/* The thread has, or may have, another owner. */
static inline void perf_owners_doubt(const struct perf_owners *owners, struct task_table *tasks,
				     uint32_t tid)
{
	if (owners->wanted)
		task_table_unmark(tasks, tid, TASK_OWNED);
}

#endif
