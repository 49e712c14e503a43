/* perf_source_private - what perf_source.c and perf_drain.c share; for these two only. */
#ifndef LIVE_PERF_SOURCE_PRIVATE_H
#define LIVE_PERF_SOURCE_PRIVATE_H

#include "engine/source/bpf/bpf_calls.h"
#include "engine/source/live/perf_plan.h"
#include "engine/source/live/perf_tracepoints.h"
#include "engine/source/perf/merge.h"
#include "engine/source/perf/perf_decode.h"
#include "engine/source/perf/perf_waker_names.h"
#include "engine/source/perf/proc_synthesize.h"
#include "engine/source/source.h"

struct perf_source {
	struct source source; /* first: what the ops are handed */
	struct perf_decode decode;
	struct perf_plan plan;
	struct perf_tracepoints events;
	struct proc_synthesize seed;
	struct kernel_names names; /* for stacks of who is blocked already */
	struct perf_waker_names waker_names;
	struct bpf_calls *bpf; /* NULL: calls are perf events ... */
	char calls_note[256]; /* ... because of this, if it was not by choice */
	/*
	 * An input for each ring, as many for the rings of deep stacks, one for what /proc told,
	 * those of bpf, and one for each ring of other tracepoints.
	 */
	struct merge merge;
	struct kernel_filter filter; /* in force */
	bool synthesize_due; /* as soon as all of these calls are seen */
	bool wake_often, own_alone;
	bool stopped; /* since the last drain: losses at the end are to be told */
};

/* The first input of other tracepoints. */
static inline uint32_t perf_event_input(const struct perf_source *perf)
{
	return 2 * perf->plan.rings.count + 1 + bpf_calls_inputs(perf->bpf);
}

/* All that was told since the last time, in the order of time; see perf_drain.c. */
void perf_drain(struct perf_source *perf, record_fn *take, void *ctx);

#endif
