/*
 * perf_decode - a record of a perf ring as records of the model.
 *
 * Knows each sample's event by its id, checks that the event counts at that time
 * (perf_period), drops this program's own records and those of tasks that
 * nobody watches, and finds the fields where the tracepoint formats say. Nothing is
 * copied or allocated per record. Contents are the kernel's but are checked against
 * the record's bounds all the same. One thread.
 */
#ifndef PERF_PERF_DECODE_H
#define PERF_PERF_DECODE_H

#include "engine/source/perf/perf_decode_state.h"

#include <sys/syscall.h>

int perf_decode_init(struct perf_decode *decode);
void perf_decode_release(struct perf_decode *decode);

/*
 * Learns the fields; waking may be NULL, as may sched_switch, and both of the others, where there
 * are events of single calls. -errno with a sentence.
 */
int perf_decode_learn(struct perf_decode *decode, const struct tracepoint *enter,
		      const struct tracepoint *exit, const struct tracepoint *sched_switch,
		      const struct tracepoint *waking, struct err *err);

/* The fields of the enters of one call, of which there are events alone. Once is enough. */
void perf_decode_learn_single(struct perf_decode *decode, uint32_t nr,
			      const struct tracepoint *enter);

/* Hands over what this record means: nothing, one record or two. */
void perf_decode(struct perf_decode *decode, const struct perf_event_header *header, uint32_t cpu,
		 record_fn *take, void *ctx);

/*
 * The same of a sample of an enter or exit, of which time, CPU and thread are in *record, which
 * is overwritten.
 */
void perf_decode_sampled(struct perf_decode *decode, const struct perf_id *event,
			 struct record *record, const unsigned char *raw, size_t raw_bytes,
			 record_fn *take, void *ctx);

/* A call that is told for what it says of the one before it alone. */
static inline bool perf_decode_is_silent(const struct perf_decode *decode, uint32_t nr)
{
	return (__builtin_expect(nr == SYS_restart_syscall, 0) && decode->silent_restart) ||
	       (__builtin_expect(nr == SYS_rt_sigreturn, 0) && decode->silent_return);
}

/* Before its execve, what a command calls is our set-up; `enters`: it does so or did. */
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
 * Looks into a ring, without reading from it, for births of which perf_decode()
 * has not told yet: children of watched processes are watched from now on.
 */
void perf_decode_foresee(struct perf_decode *decode, const struct perf_ring *ring);

/*
 * Moves to `waiting` who waits since a time when no stacks were taken: with the next rations
 * nothing tells where, but /proc does.
 */
void perf_decode_take_stackless(struct perf_decode *decode, struct task_list *waiting);

/* A free period for calls, or -EBUSY: too many changes since the last drain. */
int perf_decode_new_period(const struct perf_decode *decode);
/* No record of this period is to come: forgets its ids. */
void perf_decode_end_period(struct perf_decode *decode, uint8_t period);

#endif
