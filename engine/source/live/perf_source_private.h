/* perf_source_private - shared by perf_source.c and perf_drain.c only. */
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
	struct source source; /* first: the ops receive its address */
	struct perf_decode decode;
	struct perf_plan plan;
	struct perf_tracepoints events;
	struct proc_synthesize seed;
	struct kernel_names names; /* for stacks of threads that are already blocked */
	struct perf_waker_names waker_names;
	struct bpf_calls *bpf; /* NULL: perf events report the calls ... */
	char calls_note[256]; /* ... for this reason; empty: by choice */
	/*
	 * Inputs: one per ring, one per ring of user stacks, one for records from /proc, one per
	 * BPF ring, one per ring of other tracepoints.
	 */
	struct merge merge;
	struct kernel_filter filter; /* in force */
	bool synthesize_due; /* read calls in flight once all wanted calls are traced */
	bool wake_often, own_alone;
	bool stopped; /* stopped since the last drain: report the final losses */
};

/* Return the first input of other tracepoints. */
static inline uint32_t perf_event_input(const struct perf_source *perf)
{
	return 2 * perf->plan.rings.count + 1 + bpf_calls_inputs(perf->bpf);
}

/* Choose how owners are read. Call after a change of the filter, the events or plan.sees_moves. */
void perf_source_want_owners(struct perf_source *perf);

/* Deliver all new records in order of time; see perf_drain.c. */
void perf_drain(struct perf_source *perf, record_fn *take, void *ctx);

#endif
