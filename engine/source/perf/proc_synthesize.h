/*
 * proc_synthesize - what existed before tracing began, as records.
 *
 * A reader's process reads /proc in small steps (proc_probe.h), so that no drain waits for
 * thousands of threads, nor for one whose memory is on a server that does not answer:
 * a RECORD_TASK and a RECORD_OWNER for each thread and, where it is inside a system call,
 * a RECORD_INFLIGHT. A task's record has the time just before it was read (what ends later
 * has its TASK_EXIT behind it), a call's the time just after (a call that
 * ended meanwhile has its EXIT before it, and pairing ignores the seed). Never writes
 * and never stops anybody. One thread.
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
	struct proc_stack *stack; /* of a call; owned, NULL: none */
	char *cgroup; /* of an owner; the same */
};

struct proc_synthesize {
	struct task_table *tasks; /* borrowed; learns which process a thread is of */
	struct task_list processes; /* still to be read, from the end */
	struct task_list single; /* threads still to be read, the same */
	struct task_list newcomers; /* processes of which the owner alone is, after the others */
	struct reader *reader;
	bool has_own_reader; /* which works here */
	bool under_way; /* something was asked, at asked_ns */
	bool stale; /* ... too long ago: records of later were taken meanwhile */
	bool later; /* there is nothing to do just now */
	struct reader_request asked;
	uint64_t asked_ns;
	uint32_t pid; /* the process that is being read; 0: none */
	bool plain; /* ... without stacks, which hung */
	bool goes_on; /* some of its threads were read */
	uint64_t unread; /* processes that hang */
	unsigned int failures; /* of readers, one after the other */
	struct proc_synthesize_item *items; /* read, not handed over */
	size_t count, capacity, next;
	uint64_t denied; /* threads whose call may not be read */
	struct proc_stack_wants stacks;
	size_t step_bytes; /* of stacks that were read in this step */
	bool (*hold_back)(void *ctx); /* see source_options */
	void *hold_back_ctx;
};

/* reader: whose reader_send() is nobody else's, borrowed. NULL: what is read is read here. */
void proc_synthesize_init(struct proc_synthesize *seed, struct task_table *tasks,
			  struct reader *reader);
void proc_synthesize_release(struct proc_synthesize *seed);

/* Begins again with these processes and threads; the lists are copied. Newcomers stay. */
void proc_synthesize_begin(struct proc_synthesize *seed, const struct task_list *processes,
			   const struct task_list *threads);

/* One more process, next. What is read twice is told twice, which does no harm. */
void proc_synthesize_also(struct proc_synthesize *seed, uint32_t pid);

/*
 * A process that was born or executed a program: whose it is will be read. Where nobody says
 * that by itself; of too many at a time, some are left out.
 */
void proc_synthesize_newcomer(struct proc_synthesize *seed, uint32_t pid);

static inline bool proc_synthesize_reading(const struct proc_synthesize *seed)
{
	return seed->processes.count || seed->single.count || seed->pid || seed->under_way;
}

/*
 * What is merged with the records of this drain must be older than that: what is being asked is
 * not older. Never less than in the drain before.
 */
static inline uint64_t proc_synthesize_horizon(const struct proc_synthesize *seed, uint64_t now_ns)
{
	return seed->under_way && !seed->stale && seed->asked_ns < now_ns ? seed->asked_ns : now_ns;
}

/* It would read on, but is to do so later. */
static inline bool proc_synthesize_held_back(const struct proc_synthesize *seed)
{
	return seed->later || (seed->hold_back && seed->hold_back(seed->hold_back_ctx));
}

/*
 * Reads on, and waits for answers for about budget_ns at most. Calls that `filter` does not allow
 * are left out, and so are tasks that are this program's own.
 */
void proc_synthesize_step(struct proc_synthesize *seed, const struct kernel_filter *filter,
			  uint64_t budget_ns);

/* A record of another origin, in its place: after all that was read so far. */
void proc_synthesize_add(struct proc_synthesize *seed, const struct record *record);

/* The next record, or NULL; valid until the next step or add. */
struct record *proc_synthesize_peek(struct proc_synthesize *seed);

void proc_synthesize_pop(struct proc_synthesize *seed);

/* "202 0x… … sp pc" of /proc/PID/task/TID/syscall: true and filled if a call is in flight. */
bool proc_synthesize_parse_call(struct record *record, const char *text);

#endif
