/*
 * totals_values - what rows of sums say in each column, and their order by it. Any thread.
 */
#ifndef VIEW_TOTALS_VALUES_H
#define VIEW_TOTALS_VALUES_H

#include "tui/view/totals_columns.h"

/* <0, 0, >0 in ascending order. */
int sums_compare(const struct engine_row *a, const struct engine_row *b, enum sums_column column);
/* False: it is text. Otherwise numbers in the same order as sums_compare(), for fast sorting. */
bool sums_key(const struct engine_row *row, enum sums_column column, uint64_t *key);
/* What is compared in a column of text. */
const char *sums_text(const struct engine_row *row, enum sums_column column);
void sums_cell(const struct engine_row *row, enum engine_group group, enum sums_column column,
	       struct table_cell *cell);
/* The row is of ended processes, which have no number of their own. */
bool sums_is_ended_group(const struct engine_row *row);
/* Of all its calls: one in flight for an hour is the longest. */
uint64_t sums_longest_ns(const struct engine_row *row);
/* Whether a column is about calls, not about the task that makes them. */
bool sums_is_figure(enum sums_column column);
/* How wide the number of a process is that has another one in its pid namespace; 0: it has none. */
int sums_nested_cols(const struct engine_row *row, enum engine_group group);

#endif
