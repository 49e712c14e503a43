/*
 * comparison_types - the two sides of a comparison and its matched rows.
 *
 * See comparison.h for creation, lifetime and threads.
 */
#ifndef COMPARE_COMPARISON_TYPES_H
#define COMPARE_COMPARISON_TYPES_H

#include "engine/engine.h"

enum { COMPARISON_A, COMPARISON_B, COMPARISON_SIDES };

/* Changes worth reporting. */
enum comparison_change {
	CHANGE_SLOWER = 1 << 0, /* the median or p99 duration grew */
	CHANGE_FASTER = 1 << 1,
	CHANGE_MORE = 1 << 2, /* the call rate grew, also relative to that of all calls */
	CHANGE_FEWER = 1 << 3,
	CHANGE_NEW = 1 << 4, /* no calls on side A */
	CHANGE_GONE = 1 << 5,
	CHANGE_FAILS = 1 << 6, /* failed with errnos that A does not have, see `errnos` */
	CHANGE_FAILS_MORE = 1 << 7,
};

struct comparison_row {
	const char *comm; /* NULL: all processes; "": unknown */
	const char *name; /* name of the call; NULL: all calls */
	uint32_t nr;
	const struct engine_row *sides[COMPARISON_SIDES]; /* NULL: no calls */
	unsigned int changes; /* enum comparison_change */
	struct errno_count errnos[ENGINE_ERRNOS]; /* CHANGE_FAILS: new errnos and their counts */
	uint32_t errno_count;
	double impact; /* absolute difference of the seconds in calls per second */
	double rank; /* rank of the changes, see change_rank.h; 0 without changes */
};

struct comparison_side {
	char *file;
	double seconds; /* duration of the recording */
	uint64_t calls, lost;
	/* Rows by call; by comm and call; by comm; and by process, for the process names. */
	struct engine_row *totals, *rows, *comms, *processes;
	size_t total_count, row_count, comm_count, process_count;
};

struct comparison {
	struct comparison_side sides[COMPARISON_SIDES];
	double usual; /* rate ratio of a typical call, see change_rank.h */
	/* Order: rows of all processes first; then changed rows first, by rank; then by impact. */
	struct comparison_row *rows;
	size_t count;
	struct comparison_row *comms; /* one row per comm, over all its calls; same order */
	size_t comm_count;
	unsigned int refs; /* number of references; used only on the heap */
};

/* Return the number of calls with a known duration: means and percentiles are of these. */
static inline double comparison_timed(const struct engine_row *row)
{
	return (double)(row->calls - row->untimed);
}

#endif
