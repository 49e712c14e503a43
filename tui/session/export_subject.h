/*
 * export_subject - the data of a pane that can be written to a file.
 *
 * A pane fills in what it has: its table, its rows with raw values, its calls. Pointers are
 * borrowed until the next refresh of the pane; `list` belongs to the receiver. UI thread only.
 */
#ifndef SESSION_EXPORT_SUBJECT_H
#define SESSION_EXPORT_SUBJECT_H

#include "engine/export/fields.h"
#include "engine/filter/filter.h"
#include "engine/record/call.h"
#include "widgets/table.h"

struct export_subject {
	const char *name; /* base of the file name, such as "processes"; NULL: no data */
	const char *row_type; /* type of a row in JSON, such as "process" */
	const struct table *table; /* for text files, which get the shown columns; NULL: none */
	bool is_calls; /* the table shows the calls below, in the columns of call_cells */
	/* add_row writes a row with its raw values; NULL: use the texts of the table's cells. */
	size_t row_count;
	void (*add_row)(void *pane, size_t row, struct fields *fields);
	void *pane;
	/* Calls that the pane shows or counts: matches in [from, end), then those of `list`. */
	bool has_calls;
	struct filter *filter; /* NULL: all */
	uint64_t from, end;
	struct call *list; /* calls to append after those of the history */
	size_t list_count;
	bool folded; /* offer a file of blocked time by stack, in folded format */
};

#endif
