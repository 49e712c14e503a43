/*
 * perf_decode_state - what is known of events and tasks while perf records are decoded.
 *
 * For perf_decode.c, which sets it up and releases it, and for the parts of perf_decode:
 * perf_sideband.h, perf_stacks.h, perf_waker_names.h. Times are in nanoseconds, of the clock that
 * the events have. One thread.
 */
#ifndef PERF_PERF_DECODE_STATE_H
#define PERF_PERF_DECODE_STATE_H

#include "engine/base/idmap.h"
#include "engine/process/proc_tasks.h"
#include "engine/record/record.h"
#include "engine/record/task_table.h"
#include "engine/source/perf/descendants.h"
#include "engine/source/perf/perf_dedup.h"
#include "engine/source/perf/perf_ids.h"
#include "engine/source/perf/perf_owners.h"
#include "engine/source/perf/perf_ring.h"
#include "engine/source/source.h"
#include "engine/source/tracepoint.h"

#include <linux/perf_event.h>
#include <string.h>

/*
 * When the records of a set of events count: from_ns < time <= until_ns. A
 * filter is changed by opening a second set beside the first, and the periods overlap
 * while both are enabled: one system call then has two records, each with
 * a time of its own, and the second one of a thread's two in a row is dropped.
 */
struct perf_period {
	uint64_t from_ns, until_ns; /* both 0: this period is free */
};

#define PERF_PERIODS 64
#define PERF_PERIOD_SIDEBAND 0 /* the first four are for events that filters do not change */
#define PERF_PERIOD_WAITS 1
#define PERF_PERIOD_USER_STACK 2
#define PERF_PERIOD_EVENTS 3
#define PERF_PERIOD_CALLS 4 /* the first of those for calls */

/* When no stacks were taken on a CPU: from_ns <= time < until_ns. */
struct perf_pause {
	uint64_t from_ns, until_ns;
};

struct perf_waker_names;

#define PERF_NEWCOMERS 256 /* of those met between two drains, so many are listed */
#define PERF_STACKLESS 256 /* of those that wait without a stack, so many are listed */

struct perf_decode {
	struct perf_ids ids;
	struct perf_period periods[PERF_PERIODS];
	/*
	 * No call counts that is sampled in it, from_ns < time <= until_ns. Events are enabled
	 * and disabled one after the other, the exits of a CPU after its enters: without this,
	 * calls of that moment would have only one of the two.
	 */
	struct perf_period stopped;
	struct task_table tasks;
	bool select; /* everything is sampled but only watched tasks are wanted */
	enum record_loss loss; /* what it means if a ring has no room */
	bool per_task; /* events follow tasks, and so only what is watched is sampled */
	uint32_t command; /* a child whose calls are wanted from its execve on; 0: none any more */

	struct descendants descendants;
	struct perf_dedup dedup;
	struct perf_owners owners;
	struct task_list newcomers; /* processes that were born or executed, for proc_synthesize */
	bool want_newcomers;
	bool silent_restart; /* restart_syscall is told, but was not asked for ... */
	bool silent_return; /* ... and so is rt_sigreturn: see RESUME_SILENT */
	bool want_forks; /* list the threads that are born, for perf_calls */
	struct task_list forks;

	struct perf_waker_names *waker_names; /* borrowed; NULL: of nobody else a name is told */
	bool names_callers; /* calls come from here, and nothing else reports who makes them */

	/* Enters and exits begin with PERF_BARE_BYTES; set before perf_decode_learn(). */
	bool bare_calls;
	struct tracepoint_field enter_tid, exit_tid; /* with bare_calls */
	struct tracepoint_field enter_nr, enter_args, exit_nr, exit_ret;
	struct tracepoint_field single_nr, single_ret; /* the arguments begin where ret does */
	struct idmap
		singles; /* number: struct syscall_event_fields, owned; from perf_syscall_events */
	uint8_t copies_origin; /* of what the kernel copied; 0: it is not wanted */
	unsigned char *copies; /* SINGLE_CHUNK_BYTES of the last record */
	struct tracepoint_field switch_state, switch_next;
	struct tracepoint_field waking_tid, waking_flags;
	size_t enter_bytes, exit_bytes, switch_bytes, waking_bytes;
	uint64_t types[PERF_KIND_COUNT]; /* the sample_type of those that bring stacks */
	uint64_t regs_mask;
	bool next_from_switch; /* sched_switch tells who gets the CPU; no switch records */
	bool switch_records; /* PERF_RECORD_SWITCH for ins and outs */
	bool blocked_alone; /* samples are of those switched out that wait for something */
	struct perf_pause *pauses; /* by the number of the CPU; owned, from perf_stack_limit */
	uint32_t pause_count;
	struct task_list stackless; /* threads with TASK_LISTED */
	bool deep_alone; /* outs without a deep stack have none: there was no room */
	uint64_t stacks; /* what perf_stack_limit counts, by what they cost */

	uint64_t last_ns; /* of the newest record handed over */
	uint64_t lost;
	uint64_t malformed;
};

/* -- perf_decode.c: handing over. ----------------------------------------------------- */

/* Hands over a record that did not come from a ring, in its turn. */
void perf_decode_pass(struct perf_decode *decode, struct record *record, record_fn *take,
		      void *ctx);

/* A task gets the CPU at the time and place of `at`. */
void perf_decode_switch_in(struct perf_decode *decode, const struct record *at, uint32_t pid,
			   uint32_t tid, record_fn *take, void *ctx);

/* -- Tasks, and fields of records. ---------------------------------------------------- */

/* The idle task of each CPU has number 0, one that is no more -1. */
static inline bool perf_decode_is_task(uint32_t tid)
{
	return tid && tid != UINT32_MAX;
}

/* Whether anybody wants to hear of this task. */
static inline bool perf_decode_wants(const struct perf_decode *decode, uint32_t pid, uint32_t tid)
{
	uint32_t words = task_table_word(&decode->tasks, pid) |
			 task_table_word(&decode->tasks, tid);

	if (words & (TASK_OWN | TASK_GIVEN_UP))
		return false;
	return !decode->select || task_table_watched(&decode->tasks, pid, tid);
}

/* Whether no stacks were taken on this CPU at that time. */
static inline bool perf_decode_paused(const struct perf_decode *decode, uint32_t cpu,
				      uint64_t time_ns)
{
	return cpu < decode->pause_count && time_ns >= decode->pauses[cpu].from_ns &&
	       time_ns < decode->pauses[cpu].until_ns;
}

/* The bytes of the common fields of a loss from an event that was closed. */
static inline size_t perf_decode_common_of_loss(const struct perf_event_header *header)
{
	size_t own = header->type == PERF_RECORD_LOST ? 16 : 8;

	return header->size == sizeof(*header) + own + PERF_BARE_BYTES ? PERF_BARE_BYTES
								       : PERF_COMMON_BYTES;
}

/*
 * The bytes of the common fields of a record; 0 if it is too short for them, or a sample of an
 * event that was closed, whose fields nobody knows any more.
 */
static inline size_t perf_decode_common(const struct perf_decode *decode,
					const struct perf_event_header *header)
{
	const unsigned char *bytes = (const unsigned char *)header;
	size_t common = PERF_COMMON_BYTES;
	const struct perf_id *event;
	uint64_t id;

	if (header->size < sizeof(*header) + PERF_BARE_BYTES)
		return 0;
	if (decode->bare_calls) {
		memcpy(&id,
		       header->type == PERF_RECORD_SAMPLE ? bytes + sizeof(*header)
							  : bytes + header->size - sizeof(id),
		       sizeof(id));
		event = perf_ids_find(&decode->ids, id);
		if (!event && header->type == PERF_RECORD_SAMPLE)
			return 0;
		if (!event &&
		    (header->type == PERF_RECORD_LOST || header->type == PERF_RECORD_LOST_SAMPLES))
			common = perf_decode_common_of_loss(header);
		else if (event && (event->kind == PERF_KIND_ENTER || event->kind == PERF_KIND_EXIT))
			common = PERF_BARE_BYTES;
	}
	return header->size < sizeof(*header) + common ? 0 : common;
}

/* The time of any record; 0 for one that perf_decode_common() knows not: first, and dropped. */
static inline uint64_t perf_decode_time(const struct perf_decode *decode,
					const struct perf_event_header *header)
{
	const unsigned char *bytes = (const unsigned char *)header;
	size_t common = perf_decode_common(decode, header);
	uint64_t time_ns;

	if (!common)
		return 0;
	/*
	 * Samples begin with id, pid and tid, time, others end with pid and tid, time, cpu, id;
	 * a bare one begins with id, time, or ends with time, id.
	 */
	if (header->type == PERF_RECORD_SAMPLE)
		bytes += sizeof(*header) + (common == PERF_BARE_BYTES ? 8 : 16);
	else
		bytes += header->size - (common == PERF_BARE_BYTES ? 16 : 24);
	memcpy(&time_ns, bytes, sizeof(time_ns));
	return time_ns;
}

#endif
