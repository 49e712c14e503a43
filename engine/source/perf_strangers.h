/*
 * perf_strangers - the names of wakers that nobody watches.
 *
 * Who wakes a watched thread may be any task of the machine, and no event tells its
 * name. Those that perf_decode met are looked up in /proc after each drain and
 * told as RECORD_TASK. That a number is another's by now is found out after some
 * seconds, when it is looked up again. One thread.
 */
#ifndef SOURCE_PERF_STRANGERS_H
#define SOURCE_PERF_STRANGERS_H

#include "engine/source/perf_decode.h"

struct perf_strangers {
	struct task_list named; /* those with TASK_NAMED */
	uint64_t forget_ns;	/* when all of them are to be asked again */
};

void perf_strangers_release(struct perf_strangers *strangers);

/* Names those that were met since the last time. */
void perf_strangers_name(struct perf_strangers *strangers, struct perf_decode *decode,
			 uint64_t now_ns, record_fn *take, void *ctx);

#endif
