/*
 * perf_closer - closes events on a thread of its own.
 *
 * To close the last event of a tracepoint, the kernel waits for every CPU (25–50 ms): too long for
 * the collector. The first batch starts the thread. perf_closer_release() ends it, after all events
 * are closed.
 */
#ifndef PERF_PERF_CLOSER_H
#define PERF_PERF_CLOSER_H

#include "engine/source/perf/perf_event_set.h"

#include <pthread.h>
#include <stdbool.h>

struct perf_closer {
	pthread_mutex_t lock;
	pthread_cond_t more;
	pthread_t thread;
	bool started, ending;
	struct perf_event_set waiting; /* under lock */
};

void perf_closer_init(struct perf_closer *closer);
void perf_closer_release(struct perf_closer *closer);
/* Take ownership of the descriptors. Afterwards `probes` is empty. */
void perf_closer_take(struct perf_closer *closer, struct perf_event_set *probes);

#endif
