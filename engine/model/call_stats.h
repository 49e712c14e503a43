/*
 * call_stats - what is counted of calls that the history may let go: how many, their totals, and
 * when they took how long. The model has them of all calls, and of those that match a filter.
 * Owned and locked by the model.
 */
#ifndef MODEL_CALL_STATS_H
#define MODEL_CALL_STATS_H

#include "engine/model/latency_heatmap.h"
#include "engine/model/totals.h"

struct sums {
	uint64_t calls; /* since they began */
	uint64_t version; /* the model's: another one when they start over */
	struct totals *totals; /* since they were taken last, see totals.h */
	struct latencies *latencies; /* NULL: nobody looks */
};

/* start_ns: of the latencies, where they are wanted. */
struct sums *sums_new(bool latencies, uint64_t start_ns);
void sums_free(struct sums *sums); /* NULL too */
void sums_clear(struct sums *sums);

/* One that is finished. */
void sums_add(struct sums *sums, const struct call *call);
/* A RECORD_COUNTED. */
void sums_add_counted(struct sums *sums, const struct record *record);

#endif
