/*
 * totals_order - rows of sums put in order by a column, fast where there are tens of thousands:
 * what is compared stands beside each other, not in the rows. Any thread.
 */
#ifndef VIEW_TOTALS_ORDER_H
#define VIEW_TOTALS_ORDER_H

#include "tui/view/totals_values.h"

struct totals_order {
	const struct engine_row *row;
	uint64_t id; /* different ones: equal rows are in their order */
	uint32_t index; /* the caller's */
	bool late; /* behind all that are not, in any order */
	uint64_t key; /* totals_order.c's own */
};

void totals_order_sort(struct totals_order *ranks, size_t count, enum totals_column column,
		       bool descending);

#endif
