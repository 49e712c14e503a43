/*
 * changes_columns - the columns of a table of changes: what they were and are, and the order of
 * rows by each. Constant tables; any thread.
 */
#ifndef COMPARE_CHANGES_COLUMNS_H
#define COMPARE_CHANGES_COLUMNS_H

#include "engine/export/fields.h"
#include "tui/compare/comparison.h"
#include "widgets/table.h"

enum changes_column {
	CHANGES_NAME, /* of the call, or of processes */
	CHANGES_WHAT, /* in words */
	CHANGES_TIME, /* from here on a figure of either side */
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

/* name: what the row is called where it is shown. */
void changes_cell(const struct comparison *comparison, const struct comparison_row *row,
		  const char *name, enum changes_column column, struct table_cell *out);
/* <0, 0, >0: figures by how many times as large or small they became; none by name. */
int changes_compare(const struct comparison *comparison, const struct comparison_row *a,
		    const struct comparison_row *b, enum changes_column column);
void changes_add_fields(struct fields *fields, const struct comparison *comparison,
			const struct comparison_row *row);

#endif
