/*
 * comparison_types - the two sides of a comparison and its matched rows.
 *
 * See comparison.h for how they are made, how long they live, and on which threads.
 */
#ifndef COMPARE_COMPARISON_TYPES_H
#define COMPARE_COMPARISON_TYPES_H

#include "engine/engine.h"

enum { COMPARISON_A, COMPARISON_B, COMPARISON_SIDES };

/* What is worth a word. */
enum comparison_change {
	CHANGE_SLOWER = 1 << 0, /* half of the calls, or 1 in 100, take longer */
	CHANGE_FASTER = 1 << 1,
	CHANGE_MORE = 1 << 2, /* calls in a second, also against what all calls became */
	CHANGE_FEWER = 1 << 3,
	CHANGE_NEW = 1 << 4, /* there were none */
	CHANGE_GONE = 1 << 5,
	CHANGE_FAILS = 1 << 6, /* with an error that there was not, see `errnos` */
	CHANGE_FAILS_MORE = 1 << 7,
};

struct comparison_row {
	const char *comm; /* NULL: all processes; "": not known */
	const char *name; /* of the call; NULL: all calls */
	uint32_t nr;
	const struct engine_row *sides[COMPARISON_SIDES]; /* NULL: there were none */
	unsigned int changes; /* enum comparison_change */
	struct errno_count errnos[ENGINE_ERRNOS]; /* CHANGE_FAILS: how often with which */
	uint32_t errno_count;
	double impact; /* seconds in calls in a second: B's without A's, always > 0 */
	double rank; /* of its changes, see change_rank.h; 0 without any */
};

struct comparison_side {
	char *file;
	double seconds; /* that were recorded */
	uint64_t calls, lost;
	/* By call; by name and call; by name; and of each process, for its name. */
	struct engine_row *totals, *rows, *comms, *processes;
	size_t total_count, row_count, comm_count, process_count;
};

struct comparison {
	struct comparison_side sides[COMPARISON_SIDES];
	double usual; /* what became of the rate of the usual call, see change_rank.h */
	/* Those of all processes first, then the surest and largest change, then the impact. */
	struct comparison_row *rows;
	size_t count;
	struct comparison_row *comms; /* all calls of processes of one name; the same order */
	size_t comm_count;
	unsigned int refs; /* on the heap */
};

#endif
