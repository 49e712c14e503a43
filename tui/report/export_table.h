/*
 * export_table - a table written as text, JSON or CSV, in slices, as its rows are the pane's.
 *
 * Between the first slice and the last one the pane must not be refreshed. Text has all rows in
 * columns as wide as what is in them. UI thread only, but for the last step.
 */
#ifndef REPORT_EXPORT_TABLE_H
#define REPORT_EXPORT_TABLE_H

#include "tui/report/export_format.h"
#include "tui/session/export_subject.h"

struct export_table {
	struct export_subject subject;
	enum export_format format;
	struct table_column *columns; /* copies of those that are shown */
	size_t column_count;
	bool no_header;
	size_t next, count; /* rows */
	/* Of text: cells one after the other. */
	struct str cells;
	size_t *ends;
	size_t end_count, end_capacity;
	int *widths;
	struct str out;
};

void export_table_begin(struct export_table *table, const struct export_subject *subject,
			enum export_format format);
/* Goes on until then; true when there are no more rows. */
bool export_table_step(struct export_table *table, uint64_t until_ns);
/* Then: makes .out of what was read. Any thread. */
void export_table_finish(struct export_table *table);
void export_table_release(struct export_table *table);

#endif
