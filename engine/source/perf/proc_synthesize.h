/*
 * proc_synthesize - synthesizes records for tasks and calls that existed before tracing began.
 *
 * A reader process reads /proc in small steps (proc_probe.h). So no drain waits for thousands of
 * threads, or for one whose memory is on a server that does not answer. Each thread yields a
 * RECORD_TASK and a RECORD_OWNER and, if it is in a system call, a RECORD_INFLIGHT.
 *
 * RECORD_TASK has the time just before the task was read, so the TASK_EXIT of a task that ends
 * later follows it. RECORD_INFLIGHT has the time just after the call was read. If the call ended
 * during the read, its EXIT sorts first, and pairing ignores the in-flight record. Never writes to
 * a process and never stops one. One thread.
 */
#ifndef PERF_PROC_SYNTHESIZE_H
#define PERF_PROC_SYNTHESIZE_H

#include "engine/helper/reader.h"
#include "engine/process/proc_stack.h"
#include "engine/process/proc_stat.h"
#include "engine/process/proc_tasks.h"
#include "engine/record/kernel_filter.h"
#include "engine/record/record.h"
#include "engine/record/task_table.h"

#include <stdbool.h>

struct proc_synthesize_item {
	struct record record;
	char comm[PROC_COMM_BYTES];
	struct proc_stack *stack; /* stack of a call; owned. NULL: none */
	char *cgroup; /* cgroup of an owner; owned. NULL: none */
};

struct proc_synthesize {
	struct task_table *tasks; /* borrowed; learns the process of each thread */
	struct task_list processes; /* to be read, from the end */
	struct task_list single; /* threads to be read, from the end */
	struct task_list newcomers; /* processes: only their owners are read, after all threads */
	struct task_list sleepers; /* threads that may be held before sys_enter */
	struct reader *reader;
	bool has_own_reader; /* the reader runs in this process */
	bool under_way; /* a request was sent at asked_ns */
	bool stale; /* ... too long ago: later records have been passed on */
	bool later; /* the reader is not ready: continue in a later step */
	struct reader_request asked;
	uint64_t asked_ns;
	uint32_t pid; /* process that is being read; 0: none */
	bool plain; /* ... without stacks, after reading with stacks failed */
	bool goes_on; /* ... and some of its threads have been read */
	uint64_t unread; /* processes that could not be read, even without stacks */
	unsigned int failures; /* consecutive failures of readers */
	struct proc_synthesize_item *items; /* records that are not passed on yet */
	size_t count, capacity, next;
	uint64_t denied; /* threads whose call could not be read: no permission */
	struct proc_stack_wants stacks;
	size_t step_bytes; /* stack memory that was read in this step */
	bool (*hold_back)(void *ctx); /* see source_options */
	void *hold_back_ctx;
};

/* reader: must have no other user of reader_send(); borrowed. NULL: read in this process. */
void proc_synthesize_init(struct proc_synthesize *seed, struct task_table *tasks,
			  struct reader *reader);
void proc_synthesize_release(struct proc_synthesize *seed);

/* Start over with these processes and threads; copies the lists. Newcomers stay listed. */
void proc_synthesize_begin(struct proc_synthesize *seed, const struct task_list *processes,
			   const struct task_list *threads);

/* Read this process next. Reading a process twice is harmless: its records are emitted twice. */
void proc_synthesize_also(struct proc_synthesize *seed, uint32_t pid);

/*
 * Read the owner of a process that was created or has executed a program. Call it only if the
 * source does not report owners itself. No-op if too many are listed.
 */
void proc_synthesize_newcomer(struct proc_synthesize *seed, uint32_t pid);

/* Look up a thread that may be held before sys_enter. No-op if too many are listed. */
void proc_synthesize_sleeper(struct proc_synthesize *seed, uint32_t tid);

static inline bool proc_synthesize_reading(const struct proc_synthesize *seed)
{
	return seed->processes.count || seed->single.count || seed->pid || seed->under_way;
}

/*
 * Return the time up to which this drain can merge records. While a request is in flight it is
 * asked_ns, as the reply has records of that time or later. Never decreases.
 */
static inline uint64_t proc_synthesize_horizon(const struct proc_synthesize *seed, uint64_t now_ns)
{
	return seed->under_way && !seed->stale && seed->asked_ns < now_ns ? seed->asked_ns : now_ns;
}

/* True if reading is postponed. */
static inline bool proc_synthesize_held_back(const struct proc_synthesize *seed)
{
	return seed->later || (seed->hold_back && seed->hold_back(seed->hold_back_ctx));
}

/*
 * Continue reading and wait at most about budget_ns for replies. Skips calls that `filter` drops,
 * and the tasks of this program.
 */
void proc_synthesize_step(struct proc_synthesize *seed, const struct kernel_filter *filter,
			  uint64_t budget_ns);

/* Append a record of another origin, after the records read so far. */
void proc_synthesize_add(struct proc_synthesize *seed, const struct record *record);

/* Return the next record, or NULL. Valid until the next step or add. */
struct record *proc_synthesize_peek(struct proc_synthesize *seed);

void proc_synthesize_pop(struct proc_synthesize *seed);

/*
 * Parse /proc/PID/task/TID/syscall: "202 0x… … sp pc". True, with *record filled, if a call is in
 * flight.
 */
bool proc_synthesize_parse_call(struct record *record, const char *text);

#endif
