/*
 * changes_columns - columns of a table of changes: both values of each figure, and the sort order.
 * Constant tables; any thread.
 */
#ifndef COMPARE_CHANGES_COLUMNS_H
#define COMPARE_CHANGES_COLUMNS_H

#include "engine/export/fields.h"
#include "tui/compare/comparison.h"
#include "widgets/table.h"

enum changes_column {
	CHANGES_NAME, /* system call or process name */
	CHANGES_WHAT, /* the changes in words */
	CHANGES_TIME, /* this and all later columns: a figure of each side */
	CHANGES_CALLS,
	CHANGES_RATE,
	CHANGES_MEAN,
	CHANGES_P50,
	CHANGES_P95,
	CHANGES_P99,
	CHANGES_ERRORS,
	CHANGES_COLUMN_COUNT
};

extern const struct table_column changes_columns[CHANGES_COLUMN_COUNT];

/* name: the name that the pane shows for this row. */
void changes_cell(const struct comparison *comparison, const struct comparison_row *row,
		  const char *name, enum changes_column column, struct table_cell *out);
/*
 * Compare two rows by a column: <0, 0, >0. Figures compare by their ratio, CHANGES_TIME by impact;
 * names are not compared.
 */
int changes_compare(const struct comparison *comparison, const struct comparison_row *a,
		    const struct comparison_row *b, enum changes_column column);
void changes_add_fields(struct fields *fields, const struct comparison *comparison,
			const struct comparison_row *row);

#endif
