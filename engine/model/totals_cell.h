/*
 * totals_cell - sum of a set of calls: of one thread and system call, a process, or all calls.
 *
 * Times are in ns. Release each cell that was initialized. Not thread-safe: the owner locks.
 */
#ifndef MODEL_TOTALS_CELL_H
#define MODEL_TOTALS_CELL_H

#include "engine/base/histogram.h"
#include "engine/record/errno_counts.h"

#include <stdint.h>

/* System call numbers above this one, which no kernel uses, are counted as this one. */
#define TOTALS_NR_OTHER 1024

/* min_ns is UINT64_MAX while no call has a duration. */
struct totals_cell {
	/* Fields that each call changes: one cache line, if the cell is aligned. */
	uint64_t calls;
	uint64_t errors;
	uint64_t total_ns;
	uint64_t min_ns, max_ns;
	struct histogram durations;
	/* Fields that only calls with waits change. */
	uint64_t blocked_ns;
	uint64_t runnable_ns;
	/* Calls with missed waits. If any, blocked_ns and runnable_ns are lower bounds. */
	uint64_t waits_unknown;
	/* Fields that only failed calls change. */
	struct errno_counts errnos;
	/* For rates, in the reader's totals: calls in period `period` and in the one before. */
	uint32_t period, period_calls, before_calls;
};

/* -- totals_cells.c -- */

void totals_cell_init(struct totals_cell *cell);
void totals_cell_release(struct totals_cell *cell);
/* Add cell `from` to `into`, including histograms, without the periods. */
void totals_cell_merge(struct totals_cell *into, const struct totals_cell *from);
/* Return the number of calls of unknown duration: the times of the cell exclude them. */
uint64_t totals_cell_untimed(const struct totals_cell *cell);
/* As histogram_quantile(), limited to min_ns and max_ns, which are exact. */
uint64_t totals_cell_quantile(const struct totals_cell *cell, double fraction);
/* Add the periods of `from` to those of `into`. */
void totals_cell_merge_period(struct totals_cell *into, const struct totals_cell *from);

/* -- totals_merge.c -- */

/* Return the number of calls of a cell or sum in the period before `period`, the current one. */
uint64_t totals_cell_last(const struct totals_cell *cell, uint32_t period);

#endif
