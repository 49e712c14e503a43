/*
 * export_table - writes a table as text, JSON or CSV. The rows belong to the pane, so the UI thread
 * reads them in slices.
 *
 * The pane must not be refreshed between the first slice and the last one. Text has all rows in
 * columns as wide as their widest cell. UI thread only, except export_table_finish().
 */
#ifndef REPORT_EXPORT_TABLE_H
#define REPORT_EXPORT_TABLE_H

#include "tui/report/export_format.h"
#include "tui/session/export_subject.h"

struct export_table {
	struct export_subject subject;
	enum export_format format;
	struct table_column *columns; /* copies of the visible columns */
	size_t column_count;
	bool no_header;
	size_t next, count; /* rows */
	/* Text: all cells in one string, with the offset of each end. */
	struct str cells;
	size_t *ends;
	size_t end_count, end_capacity;
	int *widths;
	struct str out;
};

void export_table_begin(struct export_table *table, const struct export_subject *subject,
			enum export_format format);
/* Read rows until the given time. True: no rows are left. */
bool export_table_step(struct export_table *table, uint64_t until_ns);
/* After the last step: format the cells of a text export into .out. Any thread. */
void export_table_finish(struct export_table *table);
void export_table_release(struct export_table *table);

#endif
