/*
 * comparison - what became of the system calls between two recordings.
 *
 * One side is what one engine counted; rows are matched by the name of the process and that of
 * the call, so that the same program under another pid is the same row. Once matched, it does
 * not change any more. It lives on the stack of one thread (comparison_release), or on the heap
 * with references: the thread that makes it hands it over whole, and from then on only the UI
 * thread takes and drops references. Rows and names in it are good while a reference is held.
 *
 *	comparison_take(&comparison, COMPARISON_A, engine, "before.data", 0);
 *	comparison_take(&comparison, COMPARISON_B, other, "after.data", 0);
 *	comparison_match(&comparison);
 */
#ifndef COMPARE_COMPARISON_H
#define COMPARE_COMPARISON_H

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

/*
 * What the engine has counted until now. since_ns: the sums begin then, not with the recording;
 * 0: they do not.
 */
void comparison_take(struct comparison *comparison, int side, struct engine *engine,
		     const char *file, uint64_t since_ns);
void comparison_match(struct comparison *comparison);
void comparison_release(struct comparison *comparison);

/* An empty one on the heap, with the caller's reference. */
struct comparison *comparison_new(void);
struct comparison *comparison_ref(struct comparison *comparison);
/* Frees it with the last reference. NULL is allowed. */
void comparison_unref(struct comparison *comparison);

/* How many times as large; 0 where it cannot be said. */
double comparison_ratio(double a, double b);
/* Of all calls in a second. */
double comparison_rate_ratio(const struct comparison *comparison);
/* In a second of the recording. */
double comparison_per_s(const struct comparison *comparison, int side, uint64_t count);

#endif
