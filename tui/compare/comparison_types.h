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
	CHANGE_MORE = 1 << 2, /* call rate, also relative to the rate of all calls */
	CHANGE_FEWER = 1 << 3,
	CHANGE_NEW = 1 << 4, /* no calls on side A */
	CHANGE_GONE = 1 << 5,
	CHANGE_FAILS = 1 << 6, /* with errnos that A does not have, see `errnos` */
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
	double impact; /* seconds in calls per second: absolute difference, at least 0 */
	double rank; /* of its changes, see change_rank.h; 0 without changes */
};

struct comparison_side {
	char *file;
	double seconds; /* duration of the recording */
	uint64_t calls, lost;
	/* By call; by comm and call; by comm; and one per process, for its name. */
	struct engine_row *totals, *rows, *comms, *processes;
	size_t total_count, row_count, comm_count, process_count;
};

struct comparison {
	struct comparison_side sides[COMPARISON_SIDES];
	double usual; /* rate ratio of a typical call, see change_rank.h */
	/* Rows of all processes first; then changed rows, by rank; then by impact. */
	struct comparison_row *rows;
	size_t count;
	struct comparison_row *comms; /* all calls of the processes of one name; same order */
	size_t comm_count;
	unsigned int refs; /* on the heap only */
};

#endif
