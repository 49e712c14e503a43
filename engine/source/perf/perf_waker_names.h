/*
 * perf_waker_names - names of tasks that no event reports: unwatched wakers, and callers that
 * existed before collection.
 *
 * The waker of a watched thread can be any task of the machine, and no event carries its name.
 * perf_decode looks up new wakers in /proc, up to a limit between two drains. The name is emitted
 * as RECORD_TASK before the waking, so that a recording has the same names as the live view. A name
 * is looked up again after a few seconds, as its tid may have been reused. A caller is looked up
 * once, before its first call is passed on; later events report its new names and the names of its
 * children. One thread.
 */
#ifndef PERF_PERF_WAKER_NAMES_H
#define PERF_PERF_WAKER_NAMES_H

#include "engine/source/perf/perf_decode_state.h"

#define PERF_WAKER_NAMES 64 /* wakers that can be looked up between two drains; more have to wait */

#define PERF_CALLERS 256 /* callers that can be looked up between two drains; more have to wait */

struct perf_waker_names {
	struct task_list named; /* threads with TASK_NAMED */
	uint64_t forget_ns; /* when all wakers are looked up again; 0: unset */
	size_t met; /* wakers looked up since the last drain */
	size_t callers; /* callers looked up since the last drain */
};

void perf_waker_names_release(struct perf_waker_names *waker_names);

/* Emit the names of a record's thread and process. The thread must not have TASK_NAMED. */
void perf_waker_names_meet(struct perf_waker_names *waker_names, struct perf_decode *decode,
			   const struct record *record, record_fn *take, void *ctx);
/* Emit the name of a thread without TASK_MET, and of its process, before `record`. */
void perf_waker_names_meet_caller(struct perf_waker_names *waker_names, struct perf_decode *decode,
				  const struct record *record, uint32_t pid, uint32_t tid,
				  record_fn *take, void *ctx);
/* Call after each drain: reset the limits and expire old names. */
void perf_waker_names_settle(struct perf_waker_names *waker_names, struct perf_decode *decode,
			     uint64_t now_ns);

#endif
