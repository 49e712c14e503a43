/*
 * sums_rank - rows of sums put in order by a column, fast where there are tens of thousands: what
 * is compared stands beside each other, not in the rows. Any thread.
 */
#ifndef TUI_SUMS_RANK_H
#define TUI_SUMS_RANK_H

#include "tui/sums_cells.h"

struct sums_rank {
	const struct engine_row *row;
	uint64_t id; /* different ones: equal rows are in their order */
	uint32_t index; /* the caller's */
	bool late; /* behind all that are not, in any order */
	uint64_t key; /* sums_rank.c's own */
};

void sums_rank_sort(struct sums_rank *ranks, size_t count, enum sums_column column,
		    bool descending);

#endif
