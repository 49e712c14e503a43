/*
 * perf_tracepoints - the events of other tracepoints, on what the calls are watched on.
 *
 * They write into rings of their own, one for each CPU, which are opened with the first of them:
 * without any nothing here costs anything, a flood of them pushes out no records of calls, and
 * what their rings lost is known to be theirs. Each may come and go while it runs. What can be
 * told from the thread alone is left out by the kernel: this program's own; targets where they
 * are threads. The rest of a filter is for whoever gets the records.
 * The kernel keeps a tracepoint that is being watched: a probe's definition cannot be removed
 * until then (EBUSY), nor its module unloaded.
 * One thread; open and close may be on another one.
 */
#ifndef LIVE_PERF_TRACEPOINTS_H
#define LIVE_PERF_TRACEPOINTS_H

#include "engine/process/target_change.h"
#include "engine/source/event_formats.h"
#include "engine/source/event_list.h"
#include "engine/source/live/perf_plan.h"

/* One tracepoint that is watched. */
struct perf_tracepoint_watch {
	char *name;
	uint32_t number;
	uint64_t id; /* perf_event_attr.config */
	struct perf_recipe recipe;
	struct perf_event_set probes;
};

struct perf_tracepoints {
	struct event_formats *formats; /* borrowed; NULL: there are none to be had */
	struct perf_rings rings; /* none: no tracepoint was ever watched */
	struct perf_tracepoint_watch *watches;
	size_t count, cap;
	uint64_t lost; /* records of theirs */
};

void perf_tracepoints_init(struct perf_tracepoints *events, struct event_formats *formats);
void perf_tracepoints_close(struct perf_tracepoints *events);

/*
 * From now on these and no others, see event_list.h. On failure -errno with a sentence, and
 * those that were watched still are. Before the plan is started they are enabled with it.
 */
int perf_tracepoints_set(struct perf_tracepoints *events, struct perf_plan *plan, const char *list,
			 struct err *err);
int perf_tracepoints_enable(struct perf_tracepoints *events, struct err *err);
void perf_tracepoints_disable(struct perf_tracepoints *events);
/*
 * After perf_plan_set_target(): on who is new, and not on who is given up, or on whole CPUs. -errno
 * with a sentence; the plan is to be set back then, and this called again.
 */
int perf_tracepoints_follow(struct perf_tracepoints *events, struct perf_plan *plan,
			    const struct target_change *change, struct err *err);

/* The next record of ring `ring` to whoever takes it; losses are those of events. */
void perf_tracepoints_drain(struct perf_tracepoints *events, struct perf_decode *decode,
			    struct perf_cpu *cpu, record_fn *take, void *ctx);
/* As perf_plan_lost_at_end(): tells of what each ring lost after its last record. */
void perf_tracepoints_emit_last(struct perf_tracepoints *events, struct perf_decode *decode,
				uint64_t time_ns, record_fn *take, void *ctx);

/* Descriptors that are open. */
unsigned int perf_tracepoints_open_count(const struct perf_tracepoints *events);

#endif
