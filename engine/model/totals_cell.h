/*
 * totals_cell - the sum of some calls: of one system call by a thread, of a process, of everything.
 *
 * Durations and waits are in nanoseconds. An owner releases what it made. Not thread-safe: whoever
 * owns it locks.
 */
#ifndef MODEL_TOTALS_CELL_H
#define MODEL_TOTALS_CELL_H

#include "engine/base/histogram.h"
#include "engine/record/errno_counts.h"

#include <stdint.h>

/* Numbers at and above, which no kernel has, share this one. */
#define TOTALS_NR_OTHER 1024

/* The sum of some calls. min_ns is UINT64_MAX while there is none with a duration. */
struct totals_cell {
	/* What each call changes: one cache line, where the cell begins one. */
	uint64_t calls;
	uint64_t errors;
	uint64_t total_ns;
	uint64_t min_ns, max_ns;
	struct histogram durations;
	/* What only calls change that had to wait. */
	uint64_t blocked_ns;
	uint64_t runnable_ns;
	/* Of those that add to total_ns: where waits were not seen. Both times are lower bounds. */
	uint64_t waits_unknown;
	/* What only calls change that failed. */
	struct errno_counts errnos;
	/* The reader's: calls in the period `period` and in the one before it, for rates. */
	uint32_t period, period_calls, before_calls;
};

/* -- totals_cells.c -- */

void totals_cell_init(struct totals_cell *cell);
void totals_cell_release(struct totals_cell *cell);
/* Adds cell `from` to `into`, histograms too. */
void totals_cell_merge(struct totals_cell *into, const struct totals_cell *from);
/* As histogram_quantile(), but never beyond the shortest and the longest, which are exact. */
uint64_t totals_cell_quantile(const struct totals_cell *cell, double fraction);
/* What the periods of a cell say goes into those of another; totals_cell_merge() leaves them. */
void totals_cell_merge_period(struct totals_cell *into, const struct totals_cell *from);

/* -- totals_merge.c -- */

/* How many calls a cell, or a sum, had in the last period that is over. */
uint64_t totals_cell_last(const struct totals_cell *cell, uint32_t period);

#endif
