/*
 * perf_decode - decodes a record of a perf ring into records of the model.
 *
 * Looks up the event of each sample by its id and checks that the sample's time is within the
 * event's period (struct perf_period). Drops the records of this program and of unwatched tasks.
 * Reads fields at the offsets of the tracepoint formats. Copies and allocates nothing per record.
 * The kernel writes the records, but sizes are checked against their bounds all the same. One
 * thread.
 */
#ifndef PERF_PERF_DECODE_H
#define PERF_PERF_DECODE_H

#include "engine/source/perf/perf_decode_state.h"

#include <sys/syscall.h>

int perf_decode_init(struct perf_decode *decode);
void perf_decode_release(struct perf_decode *decode);

/*
 * Learn the fields of the tracepoints. NULL is allowed for waking, for sched_switch, and for enter
 * and exit together: samples of such a tracepoint must not be decoded. -errno with a message.
 */
int perf_decode_learn(struct perf_decode *decode, const struct tracepoint *enter,
		      const struct tracepoint *exit, const struct tracepoint *sched_switch,
		      const struct tracepoint *waking, struct err *err);

/* Learn the fields of the enter event of one call. No-op if they are known. */
void perf_decode_learn_single(struct perf_decode *decode, uint32_t nr,
			      const struct tracepoint *enter);

/* Decode a record of a ring into zero, one or several records; pass them to take(). */
void perf_decode(struct perf_decode *decode, const struct perf_event_header *header, uint32_t cpu,
		 record_fn *take, void *ctx);

/* Decode an enter or exit sample. *record has its time, CPU and thread, and is overwritten. */
void perf_decode_sampled(struct perf_decode *decode, const struct perf_id *event,
			 struct record *record, const unsigned char *raw, size_t raw_bytes,
			 record_fn *take, void *ctx);

/* True if the filter drops this call, and its record only resumes or ends the interrupted call. */
static inline bool perf_decode_is_silent(const struct perf_decode *decode, uint32_t nr)
{
	return (__builtin_expect(nr == SYS_restart_syscall, 0) && decode->silent_restart) ||
	       (__builtin_expect(nr == SYS_rt_sigreturn, 0) && decode->silent_return);
}

/*
 * True if the call belongs to the set-up of a command, before its execve. enters: the record
 * contains the enter.
 */
static inline bool perf_decode_is_setup(struct perf_decode *decode, uint32_t tid, uint32_t nr,
					bool enters)
{
	if (__builtin_expect(!decode->command || tid != decode->command, 1))
		return false;
	if (!enters || nr != SYS_execve)
		return true;
	decode->command = 0;
	return false;
}

/*
 * Search a ring for FORK records that perf_decode() has not read yet, and mark the children of
 * watched processes as watched. Consumes no record.
 */
void perf_decode_foresee(struct perf_decode *decode, const struct perf_ring *ring);

/*
 * Move to `waiting` the threads that began to wait while stacks were off and still wait. No sample
 * has their stacks, so read them from /proc.
 */
void perf_decode_take_stackless(struct perf_decode *decode, struct task_list *waiting);

/* Return a free period for calls; -EBUSY after too many changes since the last drain. */
int perf_decode_new_period(const struct perf_decode *decode);
/* Free a period whose records have all arrived, and drop its event ids. */
void perf_decode_end_period(struct perf_decode *decode, uint8_t period);

#endif
