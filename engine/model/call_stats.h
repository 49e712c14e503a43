/*
 * call_stats - statistics of all calls, including evicted ones: count, totals, latency heatmap.
 *
 * The model has one object for all calls and one for the calls that match the filter. Owned and
 * locked by the model.
 */
#ifndef MODEL_CALL_STATS_H
#define MODEL_CALL_STATS_H

#include "engine/model/latency_heatmap.h"
#include "engine/model/totals.h"

struct call_stats {
	uint64_t calls; /* since the last clear */
	uint64_t version; /* assigned by the model; changes on each restart of the counts */
	struct totals *totals; /* since the last model_take_totals(), see totals.h */
	struct latency_heatmap *latency_heatmap; /* NULL: not wanted */
};

/* start_ns: start of the heatmap, if it is wanted. */
struct call_stats *call_stats_new(bool latency_heatmap, uint64_t start_ns);
void call_stats_free(struct call_stats *call_stats); /* NULL is allowed */
void call_stats_clear(struct call_stats *call_stats);

/* Count a finished call. */
void call_stats_add(struct call_stats *call_stats, const struct call *call);
/* Count a RECORD_AGGREGATE. */
void call_stats_add_aggregate(struct call_stats *call_stats, const struct record *record);

#endif
