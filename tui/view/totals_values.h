/*
 * totals_values - what rows of sums say in each column, and their order by it. Any thread.
 */
#ifndef VIEW_TOTALS_VALUES_H
#define VIEW_TOTALS_VALUES_H

#include "engine/engine.h"
#include "tui/view/totals_column.h"
#include "widgets/table.h"

/* <0, 0, >0 in ascending order. */
int totals_compare(const struct engine_row *a, const struct engine_row *b,
		   enum totals_column column);
/* False: it is text. Otherwise numbers in the same order as totals_compare(), for fast sorting. */
bool totals_key(const struct engine_row *row, enum totals_column column, uint64_t *key);
/* What is compared in a column of text. */
const char *totals_text(const struct engine_row *row, enum totals_column column);
void totals_cell_text(const struct engine_row *row, enum engine_group group,
		      enum totals_column column, struct table_cell *cell);
/* The row is of ended processes, which have no number of their own. */
bool totals_is_ended_group(const struct engine_row *row);
/* Of all its calls: one in flight for an hour is the longest. */
uint64_t totals_longest_ns(const struct engine_row *row);
/* Whether a column is about calls, not about the task that makes them. */
bool totals_is_figure(enum totals_column column);
/* How wide the number of a process is that has another one in its pid namespace; 0: it has none. */
int totals_nested_cols(const struct engine_row *row, enum engine_group group);

#endif
