/*
 * call_stats - what is counted of calls that the history may let go: how many, their totals, and
 * when they took how long. The model has them of all calls, and of those that match a filter.
 * Owned and locked by the model.
 */
#ifndef MODEL_CALL_STATS_H
#define MODEL_CALL_STATS_H

#include "engine/model/latency_heatmap.h"
#include "engine/model/totals.h"

struct call_stats {
	uint64_t calls; /* since they began */
	uint64_t version; /* the model's: another one when they start over */
	struct totals *totals; /* since they were taken last, see totals.h */
	struct latency_heatmap *latency_heatmap; /* NULL: nobody looks */
};

/* start_ns: of the latencies, where they are wanted. */
struct call_stats *call_stats_new(bool latency_heatmap, uint64_t start_ns);
void call_stats_free(struct call_stats *call_stats); /* NULL too */
void call_stats_clear(struct call_stats *call_stats);

/* One that is finished. */
void call_stats_add(struct call_stats *call_stats, const struct call *call);
/* A RECORD_AGGREGATE. */
void call_stats_add_aggregate(struct call_stats *call_stats, const struct record *record);

#endif
