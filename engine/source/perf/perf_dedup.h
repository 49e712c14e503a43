/*
 * perf_dedup - detects records that repeat another record.
 *
 * Two events can report the same thing in two cases. While one set of events replaces another, both
 * are enabled, and an enter or exit has two records, each with its own time. A thread that starts
 * while its process is being opened can have events of its own beside inherited ones. One thread.
 */
#ifndef PERF_PERF_DEDUP_H
#define PERF_PERF_DEDUP_H

#include "engine/base/idmap.h"
#include "engine/source/perf/perf_ids.h"

#include <stdbool.h>
#include <stdint.h>

struct perf_dedup {
	/*
	 * Threads that two events may follow. Maps period and tid to the perf_id.root that counts.
	 */
	struct idmap doubtful;
	/* Last record of each thread while two sets are enabled. Maps tid to nr, period, kind. */
	struct idmap reported;
	uint64_t overlap_until_ns; /* end of the overlap; 0: unread records are of one set */
};

void perf_dedup_init(struct perf_dedup *dedup);
void perf_dedup_release(struct perf_dedup *dedup);

/* In this period, count only this thread's own events, not inherited ones. */
void perf_dedup_doubt(struct perf_dedup *dedup, uint8_t period, uint32_t tid);
/* Copy the entries of a parent to a child: the child inherits all events, duplicates included. */
void perf_dedup_inherit(struct perf_dedup *dedup, uint32_t tid, uint32_t parent_tid);
void perf_dedup_forget(struct perf_dedup *dedup, uint32_t tid);
/* True if two events of this period may follow the same thread. */
bool perf_dedup_doubts(const struct perf_dedup *dedup, uint8_t period);
void perf_dedup_end_period(struct perf_dedup *dedup, uint8_t period);

/* Reset the overlap: unread records are of one set. */
void perf_dedup_end_overlap(struct perf_dedup *dedup);

bool perf_dedup_other_event_counts(const struct perf_dedup *dedup, uint32_t tid,
				   const struct perf_id *event);

/* True if another event is the one that counts for this thread. */
static inline bool perf_dedup_doubtful(const struct perf_dedup *dedup, uint32_t tid,
				       const struct perf_id *event)
{
	return dedup->doubtful.count && perf_dedup_other_event_counts(dedup, tid, event);
}

bool perf_dedup_remember(struct perf_dedup *dedup, uint32_t tid, const struct perf_id *event,
			 uint32_t nr);

/*
 * True if another set has already reported this enter or exit. Enters and exits of a thread
 * alternate, so two consecutive records of the same kind and number, from two sets, are duplicates.
 */
static inline bool perf_dedup_reported(struct perf_dedup *dedup, uint32_t tid,
				       const struct perf_id *event, uint32_t nr, uint64_t time_ns)
{
	return __builtin_expect(time_ns <= dedup->overlap_until_ns, 0) &&
	       perf_dedup_remember(dedup, tid, event, nr);
}

#endif
