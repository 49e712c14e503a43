/*
 * perf_owners - reads task owners from /proc where only perf events report calls.
 *
 * No event carries uid or cgroup, so /proc is read while a filter needs them, or while moves to
 * other cgroups are not reported (perf_moves.h). The owner of a thread is read at its first enter
 * or exit, after an execve or a change of user, and again after a second. Calls shortly before a
 * read can be attributed to the next owner.
 *
 * A reader (engine/helper/reader.h) reads /proc, as a read can take long. If the process that is
 * read exits meanwhile, the reader may have to free its memory and mapped files. While a late reply
 * is outstanding, no owner is emitted and no reply is awaited. One thread.
 */
#ifndef PERF_PERF_OWNERS_H
#define PERF_PERF_OWNERS_H

#include "engine/process/proc_owner.h"
#include "engine/process/proc_stat.h"
#include "engine/process/proc_tasks.h"
#include "engine/record/task_table.h"
#include "engine/source/source.h"

#include <sys/syscall.h>

struct reader;

struct perf_owners {
	bool wanted;
	struct reader *reader; /* for perf_owners only; borrowed. NULL: read /proc here */
	void (*before_wait)(void *ctx); /* see source_options; NULL: none */
	void *before_wait_ctx;
	bool under_way; /* a request was not answered in time; its reply is outstanding */
	struct task_list known; /* threads with TASK_OWNED */
	uint64_t forget_ns; /* when all known threads are read again */
	struct proc_owner owner;
	char comm[PROC_COMM_BYTES];
};

void perf_owners_release(struct perf_owners *owners);

/* Enable or disable the emission of owners. All threads are read again. */
void perf_owners_want(struct perf_owners *owners, struct task_table *tasks, bool wanted);

/*
 * Call before emitting an enter, exit or event. True if the owner of its thread must be emitted
 * first: *record is that owner record.
 */
bool perf_owners_before(struct perf_owners *owners, struct task_table *tasks,
			const struct record *call, struct record *record);

/* True if the call has changed the user of its thread. */
static inline bool perf_owners_changes_user(const struct record *call)
{
	return call->kind == RECORD_EXIT &&
	       (call->exit.nr == SYS_setuid || call->exit.nr == SYS_setreuid ||
		call->exit.nr == SYS_setresuid) &&
	       !call->exit.ret;
}

/* Account that the owner of a thread may have changed. */
static inline void perf_owners_doubt(const struct perf_owners *owners, struct task_table *tasks,
				     uint32_t tid)
{
	if (owners->wanted)
		task_table_unmark(tasks, tid, TASK_OWNED);
}

#endif
