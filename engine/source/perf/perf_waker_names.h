/*
 * perf_waker_names - names of tasks that no event reports: wakers that are not watched, and callers
 * that were there before collection began.
 *
 * Who wakes a watched thread may be any task of the machine, and no event tells its
 * name. Those that perf_decode meets are looked up in /proc, the first time and so many between
 * two drains, and told as RECORD_TASK in front of the waking: who reads of that later, in a
 * recording too, knows no more and no less. That a number is another's by now is found out after
 * some seconds, when it is looked up again. A caller is looked up once, before its first call is
 * passed on; later events report its renaming and the names of its children. One thread.
 */
#ifndef PERF_PERF_WAKER_NAMES_H
#define PERF_PERF_WAKER_NAMES_H

#include "engine/source/perf/perf_decode_state.h"

#define PERF_WAKER_NAMES 64 /* named between two drains; more have to wait their turn */

#define PERF_CALLERS 256 /* the same of callers */

struct perf_waker_names {
	struct task_list named; /* those with TASK_NAMED */
	uint64_t forget_ns; /* when all of them are to be asked again; 0: not known yet */
	size_t met; /* since the last drain */
	size_t callers; /* looked up since the last drain */
};

void perf_waker_names_release(struct perf_waker_names *waker_names);

/* The thread of this record, which was not named yet. */
void perf_waker_names_meet(struct perf_waker_names *waker_names, struct perf_decode *decode,
			   const struct record *record, record_fn *take, void *ctx);
/* A thread that has no name yet; record is what is passed on next. */
void perf_waker_names_meet_caller(struct perf_waker_names *waker_names, struct perf_decode *decode,
				  const struct record *record, uint32_t pid, uint32_t tid,
				  record_fn *take, void *ctx);
/* After each drain. */
void perf_waker_names_settle(struct perf_waker_names *waker_names, struct perf_decode *decode,
			     uint64_t now_ns);

#endif
