/*
 * perf_drain - all that was told since the last time, in the order of time.
 *
 * A drain notes the time T and then looks how far each ring was written. What a
 * thread did up to T is in the rings by then: a CPU finishes writing a record before the
 * thread goes on, and before it can move to another CPU. So the rings are merged
 * up to T in place, and the rest waits for the next drain. The source's thread only.
 */
#ifndef LIVE_PERF_DRAIN_H
#define LIVE_PERF_DRAIN_H

#include "engine/source/source.h"

struct perf_source;

void perf_drain(struct perf_source *perf, record_fn *take, void *ctx);

#endif
