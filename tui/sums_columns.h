/*
 * sums_columns - the columns of the table of sums: order, text and colour of each.
 * Constant tables; any thread.
 */
#ifndef TUI_SUMS_COLUMNS_H
#define TUI_SUMS_COLUMNS_H

#include "engine/engine.h"
#include "tui/session.h"
#include "widgets/table.h"

enum sums_column {
	SUMS_ID, /* pid, tid or number */
	SUMS_NAME,
	SUMS_CONTAINER, /* or pod, or service */
	SUMS_RATE,
	SUMS_ERRORS,
	SUMS_TOTAL,
	SUMS_BLOCKED,
	SUMS_CALLS,
	SUMS_MAX,
	SUMS_HISTOGRAM,
	SUMS_COLUMN_COUNT
};

/* Fills columns for rows of that kind; SUMS_COLUMN_COUNT of them, ids enum sums_column. */
void sums_columns_fill(struct table_column *columns, enum session_group group);
/* Shows what rows have and others would not: containers, pids inside of them. */
void sums_columns_fit(struct table_column *columns, enum session_group group,
		      const struct engine_row *rows, size_t count);
/* As the title, but for people: "calls/s", "blocked". */
const char *sums_column_name(enum sums_column column);

/* <0, 0, >0 in ascending order. */
int sums_compare(const struct engine_row *a, const struct engine_row *b,
		 enum sums_column column);
void sums_cell(const struct engine_row *row, enum session_group group,
	       enum sums_column column, struct table_cell *cell);

#endif
