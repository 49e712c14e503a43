/*
 * totals_order - sorts rows of totals by a column. Any thread.
 *
 * Sort keys are stored side by side in an array, outside the large rows, so that sorting stays fast
 * with tens of thousands of rows.
 */
#ifndef VIEW_TOTALS_ORDER_H
#define VIEW_TOTALS_ORDER_H

#include "tui/view/totals_values.h"

struct totals_order {
	const struct engine_row *row;
	uint64_t id; /* unique; rows with equal values are sorted by it */
	uint32_t index; /* for the caller; not used here */
	bool late; /* sorts after all rows that are not late, in both directions */
	uint64_t key; /* private to totals_order.c */
};

void totals_order_sort(struct totals_order *ranks, size_t count, enum totals_column column,
		       bool descending);

#endif
