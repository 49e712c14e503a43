/*
 * export_subject - what there is of a pane to be written to a file.
 *
 * A pane fills in what it has: the table that it shows, its rows with raw values, the calls that
 * they are. Pointers are borrowed and good until the pane is refreshed; `list` is the taker's.
 * UI thread only.
 */
#ifndef SESSION_EXPORT_SUBJECT_H
#define SESSION_EXPORT_SUBJECT_H

#include "engine/export/fields.h"
#include "engine/filter/filter.h"
#include "engine/record/call.h"
#include "widgets/table.h"

struct export_subject {
	const char *name; /* "processes", as files are called; NULL: there is nothing */
	const char *row_type; /* "process", of a row in JSON */
	const struct table *table; /* for text: columns that are not hidden; NULL: none */
	bool is_calls; /* the table is of the calls below, as the columns of call_cells have them */
	/* Rows with their values; NULL: what is in the cells of the table. */
	size_t row_count;
	void (*add_row)(void *pane, size_t row, struct fields *fields);
	void *pane;
	/* The calls that it shows, or speaks of: of the history those in [from, end) that match. */
	bool has_calls;
	struct filter *filter; /* NULL: all */
	uint64_t from, end;
	struct call *list; /* then these */
	size_t list_count;
	bool folded; /* whose blocked time by stack is worth a file */
};

#endif
