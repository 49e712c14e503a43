/*
 * perf_tracepoints - the events of other tracepoints (-E), on the same tasks or CPUs as the calls.
 *
 * They write into rings of their own, one per CPU, which are opened with the first tracepoint. So
 * there is no cost without tracepoints, a flood of events displaces no calls, and losses in these
 * rings are known to be events. Tracepoints can be added and removed at run time.
 *
 * The kernel filters by thread where possible: stxtop's own threads are dropped, and targets that
 * are threads have their own events. The receiver of the records applies the remaining filter.
 *
 * The kernel pins a tracepoint while it is watched: a probe definition cannot be removed (EBUSY),
 * and its module cannot be unloaded.
 *
 * One thread; open and close may run on another one.
 */
#ifndef LIVE_PERF_TRACEPOINTS_H
#define LIVE_PERF_TRACEPOINTS_H

#include "engine/process/target_change.h"
#include "engine/source/event_formats.h"
#include "engine/source/event_list.h"
#include "engine/source/live/perf_plan.h"

/* A watched tracepoint. */
struct perf_tracepoint_watch {
	char *name;
	uint32_t number;
	uint64_t id; /* perf_event_attr.config */
	struct perf_recipe recipe;
	struct perf_event_set probes;
};

struct perf_tracepoints {
	struct event_formats *formats; /* borrowed; NULL: none available */
	struct perf_rings rings; /* empty: no tracepoint was ever watched */
	struct perf_tracepoint_watch *watches;
	size_t count, cap;
	uint64_t lost; /* records lost in these rings */
};

void perf_tracepoints_init(struct perf_tracepoints *events, struct event_formats *formats);
void perf_tracepoints_close(struct perf_tracepoints *events);

/*
 * Watch exactly these tracepoints, see event_list.h. On failure return -errno with a message; the
 * previous tracepoints stay watched. If the plan is not started yet, perf_tracepoints_enable()
 * enables them later.
 */
int perf_tracepoints_set(struct perf_tracepoints *events, struct perf_plan *plan, const char *list,
			 struct err *err);
int perf_tracepoints_enable(struct perf_tracepoints *events, struct err *err);
void perf_tracepoints_disable(struct perf_tracepoints *events);
/*
 * Call after perf_plan_set_target(). Open events on added tasks and close those of removed tasks,
 * or move to whole CPUs. On failure return -errno with a message; then the caller restores the
 * target of the plan and calls this again.
 */
int perf_tracepoints_follow(struct perf_tracepoints *events, struct perf_plan *plan,
			    const struct target_change *change, struct err *err);

/* Deliver the next record of the ring of `cpu`; losses are reported as losses of events. */
void perf_tracepoints_drain(struct perf_tracepoints *events, struct perf_decode *decode,
			    struct perf_cpu *cpu, record_fn *take, void *ctx);
/* Report the records that each ring lost after its last record, as perf_plan_lost_at_end() does. */
void perf_tracepoints_emit_last(struct perf_tracepoints *events, struct perf_decode *decode,
				uint64_t time_ns, record_fn *take, void *ctx);

/* Return the number of open event descriptors. */
unsigned int perf_tracepoints_open_count(const struct perf_tracepoints *events);

#endif
