/*
 * perf_decode_state - state of events and tasks during the decoding of perf records.
 *
 * Used by perf_decode.c, which initializes and releases the state, and by the parts of perf_decode:
 * perf_sideband.h, perf_stacks.h, perf_waker_names.h. Times are in ns, on the clock of the events.
 * One thread.
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
 * Period in which the records of a set of events count: from_ns < time <= until_ns. To change a
 * filter, a second set is opened beside the first. Their periods overlap while both are enabled. In
 * this overlap each enter and exit has two records with different times, and perf_dedup drops the
 * second one.
 */
struct perf_period {
	uint64_t from_ns, until_ns; /* both 0: the period is free */
};

#define PERF_PERIODS 64
#define PERF_PERIOD_SIDEBAND 0 /* the first four periods are for events without a call filter */
#define PERF_PERIOD_WAITS 1
#define PERF_PERIOD_USER_STACK 2
#define PERF_PERIOD_EVENTS 3
#define PERF_PERIOD_CALLS 4 /* the first period for calls */

/* Period in which a CPU samples no stacks: from_ns <= time < until_ns. */
struct perf_pause {
	uint64_t from_ns, until_ns;
};

struct perf_waker_names;

#define PERF_DOUBTED 256 /* maximum number of threads in `doubted` */
#define PERF_NEWCOMERS 256 /* maximum number of processes in `newcomers` */
#define PERF_STACKLESS 256 /* maximum number of threads in `stackless` */

struct perf_decode {
	struct perf_ids ids;
	struct perf_period periods[PERF_PERIODS];
	/*
	 * Enters and exits at from_ns < time <= until_ns are dropped: collection was stopped. A
	 * CPU's exit events are enabled and disabled after its enter events, so a call in between
	 * would lack its enter or exit.
	 */
	struct perf_period stopped;
	struct task_table tasks;
	bool select; /* all tasks are sampled; drop records of unwatched tasks */
	enum record_loss loss; /* kind of loss that RECORD_LOST reports for these rings */
	bool per_task; /* events are on tasks, so only watched tasks are sampled */
	uint32_t command; /* pid of a command before its execve: drop its calls; 0: none */

	struct descendants descendants;
	struct perf_dedup dedup;
	struct perf_owners owners;
	/*
	 * Threads whose owner may have changed: read it. A first thread stands for its process.
	 * Changes of user are not listed while `owners` reads owners.
	 */
	struct task_list doubted;
	struct task_list newcomers; /* processes that are new or called execve: read their owner */
	bool want_newcomers;
	bool silent_restart; /* the filter drops restart_syscall, see RESUME_SILENT ... */
	bool silent_return; /* ... and rt_sigreturn */
	bool want_forks; /* list new threads in `forks`, for perf_calls */
	struct task_list forks;

	struct perf_waker_names *waker_names; /* borrowed; NULL: name no unwatched waker */
	bool names_callers; /* calls come from perf events: name callers from /proc */

	/* Enters and exits are samples of PERF_BARE_SAMPLE. Set before perf_decode_learn(). */
	bool bare_calls;
	struct tracepoint_field enter_tid, exit_tid; /* used with bare_calls */
	struct tracepoint_field enter_nr, enter_args, exit_nr, exit_ret;
	struct tracepoint_field single_nr, single_ret; /* enters: arguments begin at single_ret */
	struct idmap singles; /* maps nr to struct syscall_event_fields, owned */
	uint8_t copies_origin; /* origin of strings that the kernel copied; 0: ignore them */
	unsigned char *copies; /* chunks of the last record, SINGLE_CHUNK_BYTES; owned */
	struct tracepoint_field switch_state, switch_next;
	struct tracepoint_field waking_tid, waking_flags;
	struct tracepoint_field moved_tid; /* in PERF_KIND_MOVE */
	size_t enter_bytes, exit_bytes, switch_bytes, waking_bytes;
	uint64_t types[PERF_KIND_COUNT]; /* sample_type of the kinds with stacks */
	uint64_t regs_mask;
	uint32_t max_stack; /* frames after which the kernel ends a callchain */
	bool next_from_switch; /* no switch records: next_pid of sched_switch gives switch-ins */
	bool switch_records; /* PERF_RECORD_SWITCH reports switch-ins and switch-outs */
	bool blocked_alone; /* sched_switch samples only blocking switch-outs */
	struct perf_pause *pauses; /* indexed by CPU number; owned; set by perf_stack_limit */
	uint32_t pause_count;
	struct task_list stackless; /* threads with TASK_LISTED */
	bool deep_alone; /* only user-stack events sample switch-outs; none if the ring was full */
	uint64_t stacks; /* sampled stacks so far, weighted for perf_stack_limit */

	uint64_t last_ns; /* time of the newest record passed on */
	uint64_t lost;
	uint64_t malformed;
};

/* -- Passing records on: perf_decode.c ------------------------------------------------ */

/* Add the thread to `doubted`, if it is watched. */
void perf_decode_doubt_owner(struct perf_decode *decode, uint32_t pid, uint32_t tid);
/* Pass a record on. Raise its time if a record with a later time was passed on before. */
void perf_decode_pass(struct perf_decode *decode, struct record *record, record_fn *take,
		      void *ctx);

/* Emit the switch-in of a task at the time and CPU of `at`. */
void perf_decode_switch_in(struct perf_decode *decode, const struct record *at, uint32_t pid,
			   uint32_t tid, record_fn *take, void *ctx);

/* -- Tasks and fields of records ------------------------------------------------------ */

/* True for a task. The idle task of each CPU has tid 0, an exited task -1. */
static inline bool perf_decode_is_task(uint32_t tid)
{
	return tid && tid != UINT32_MAX;
}

/* True if the records of this task are wanted. */
static inline bool perf_decode_wants(const struct perf_decode *decode, uint32_t pid, uint32_t tid)
{
	uint32_t words = task_table_word(&decode->tasks, pid) |
			 task_table_word(&decode->tasks, tid);

	if (words & (TASK_OWN | TASK_GIVEN_UP))
		return false;
	return !decode->select || task_table_watched(&decode->tasks, pid, tid);
}

/* True if this CPU took no stacks at that time. */
static inline bool perf_decode_paused(const struct perf_decode *decode, uint32_t cpu,
				      uint64_t time_ns)
{
	return cpu < decode->pause_count && time_ns >= decode->pauses[cpu].from_ns &&
	       time_ns < decode->pauses[cpu].until_ns;
}

/* Infer the size of the common fields of a loss record whose event is closed. */
static inline size_t perf_decode_common_of_loss(const struct perf_event_header *header)
{
	size_t own = header->type == PERF_RECORD_LOST ? 16 : 8;

	return header->size == sizeof(*header) + own + PERF_BARE_BYTES ? PERF_BARE_BYTES
								       : PERF_COMMON_BYTES;
}

/*
 * Return the size of the common fields of a record. 0 if it is too short for them, or if it is a
 * sample of a closed event, whose fields are unknown.
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

/*
 * Return the time of a record. If perf_decode_common() returns 0, return 0: the record sorts first
 * and is dropped.
 */
static inline uint64_t perf_decode_time(const struct perf_decode *decode,
					const struct perf_event_header *header)
{
	const unsigned char *bytes = (const unsigned char *)header;
	size_t common = perf_decode_common(decode, header);
	uint64_t time_ns;

	if (!common)
		return 0;
	/*
	 * A sample begins with id, pid and tid, time; other records end with pid and tid, time,
	 * cpu, id. A bare sample begins with id, time; other bare records end with time, id.
	 */
	if (header->type == PERF_RECORD_SAMPLE)
		bytes += sizeof(*header) + (common == PERF_BARE_BYTES ? 8 : 16);
	else
		bytes += header->size - (common == PERF_BARE_BYTES ? 16 : 24);
	memcpy(&time_ns, bytes, sizeof(time_ns));
	return time_ns;
}

#endif
