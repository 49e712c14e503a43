/*
 * perf_dedup - records that tell again what another one told.
 *
 * Two events may tell of the same thing in two cases. While one set of events replaces
 * another, both are enabled, and one enter or exit has two records, each with a
 * time of its own. And a thread that starts while its process is being opened
 * may have events of its own beside those that it inherited. One thread.
 */
#ifndef PERF_PERF_DEDUP_H
#define PERF_PERF_DEDUP_H

#include "engine/base/idmap.h"
#include "engine/source/perf/perf_ids.h"

#include <stdbool.h>
#include <stdint.h>

struct perf_dedup {
	/* Threads that two events may follow at once: period and tid to the root that counts. */
	struct idmap doubtful;
	/* While two sets are enabled, what each thread told last: tid to number, period, kind. */
	struct idmap reported;
	uint64_t overlap_until_ns; /* 0: no overlap in the records to come */
};

void perf_dedup_init(struct perf_dedup *dedup);
void perf_dedup_release(struct perf_dedup *dedup);

/* In this period, believe this thread's own events only, not what it may have inherited too. */
void perf_dedup_doubt(struct perf_dedup *dedup, uint8_t period, uint32_t tid);
/* A child inherits all the events of its parent, doubles too. */
void perf_dedup_inherit(struct perf_dedup *dedup, uint32_t tid, uint32_t parent_tid);
void perf_dedup_forget(struct perf_dedup *dedup, uint32_t tid);
/* Whether there is any doubt in this period. */
bool perf_dedup_doubts(const struct perf_dedup *dedup, uint8_t period);
void perf_dedup_end_period(struct perf_dedup *dedup, uint8_t period);

/* No two sets are enabled in what is to come. */
void perf_dedup_end_overlap(struct perf_dedup *dedup);

bool perf_dedup_other_event_counts(const struct perf_dedup *dedup, uint32_t tid,
				   const struct perf_id *event);

/* Whether another event tells the same of this thread. */
static inline bool perf_dedup_doubtful(const struct perf_dedup *dedup, uint32_t tid,
				       const struct perf_id *event)
{
	return dedup->doubtful.count && perf_dedup_other_event_counts(dedup, tid, event);
}

bool perf_dedup_remember(struct perf_dedup *dedup, uint32_t tid, const struct perf_id *event,
			 uint32_t nr);

/*
 * Whether another set told this enter or exit already. Enters and exits of a thread
 * alternate: two of a kind in a row with the same number, from two sets, are one.
 */
static inline bool perf_dedup_reported(struct perf_dedup *dedup, uint32_t tid,
				       const struct perf_id *event, uint32_t nr, uint64_t time_ns)
{
	return __builtin_expect(time_ns <= dedup->overlap_until_ns, 0) &&
	       perf_dedup_remember(dedup, tid, event, nr);
}

#endif
