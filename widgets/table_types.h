/*
 * table_types - a table, its columns and its cells.
 *
 * table.h says what a table does, table_columns.h how a person chooses columns. UI thread only.
 */
#ifndef WIDGETS_TABLE_TYPES_H
#define WIDGETS_TABLE_TYPES_H

#include "engine/base/str.h"
#include "widgets/canvas/canvas.h"

#include <stdint.h>

#define TABLE_COLUMNS_MAX 64
#define TABLE_COLUMN_COLS_MAX 500

struct table_column {
	int id; /* the caller's name for it, >= 0 */
	const char *name; /* in text: lower case, one word; NULL: it is not to be chosen */
	const char *title;
	const char *help; /* what it says, for the help page; NULL: nothing to say */
	int min_cols;
	int flex; /* share of spare columns; 0: always min_cols */
	int flex_cols; /* no wider by that than so much; 0: as wide as there is room */
	int first_cols; /* its share comes before the others' until it is so wide */
	int lend_cols; /* > 0: a row lends room to the next cell until so much is left */
	enum align align;
	bool descending; /* the direction a first sort by it takes; for the caller */
	bool hidden; /* there is nothing to show in it now, whatever was chosen */
	bool optional; /* shown only where it was chosen */
	int drop; /* > 0: left out on narrow screens, the highest first */
};

struct table_columns {
	struct table_columns_item {
		int id;
		int cols; /* 0: as it is by default */
		bool off;
	} items[TABLE_COLUMNS_MAX]; /* all of the table's, in the order wanted */
	size_t count; /* 0: nothing was chosen */
};

#define TABLE_SPANS_MAX 8

/* A part of a cell's text in a role of its own. */
struct table_span {
	size_t from, to; /* bytes */
	enum role role;
};

struct table_cell {
	struct str text; /* empty; append UTF-8. Cut or padded by the table. */
	enum role role; /* ROLE_TEXT unless set */
	struct table_span spans[TABLE_SPANS_MAX];
	size_t span_count; /* 0 unless set */
	int cols; /* of the cell; 0: the whole text is wanted, whatever its width */
};

struct table_ops {
	size_t (*row_count)(void *data);
	uint64_t (*row_id)(void *data, size_t row);
	void (*cell)(void *data, size_t row, int column_id, struct table_cell *cell);
	/* May be NULL. The row of an id; false: gone. Without it rows are searched through. */
	bool (*find_row)(void *data, uint64_t id, size_t *row);
	/*
	 * May be NULL. Draws a cell by itself on a canvas of one row, selection is painted
	 * over it; false: it did not, the text of .cell is wanted.
	 */
	bool (*draw)(void *data, size_t row, int column_id, struct canvas *canvas);
	/* May be NULL. Told before cells of these rows are asked for: one question for all. */
	void (*prepare)(void *data, size_t first, size_t count);
	/* May be NULL. The row that is selected before the cursor was moved; there are rows. */
	size_t (*start_row)(void *data);
	/* May be NULL. What a search looks through instead of the texts of all cells. */
	void (*search_text)(void *data, size_t row, struct str *out);
};

struct table {
	const struct table_ops *ops;
	void *data;
	const struct table_column *columns; /* borrowed; may be changed between calls */
	size_t column_count;
	struct table_columns chosen; /* changed by table_columns.h */

	/* Set freely between calls. */
	const char *name; /* one word, for settings; NULL: there is nothing to choose */
	int sort_column; /* column id, -1: none marked */
	bool sort_descending;
	bool follow; /* keep the last row in sight; moving up turns it off */
	bool no_header;
	const char *empty_text; /* shown in place of rows: why there are none. Borrowed. */
	const char *match; /* drawn as ROLE_MATCH where it occurs, or NULL. Borrowed. */

	/* Read freely; changed by the verbs below. */
	bool has_selection;
	bool pinned; /* the person chose the row */
	bool at_home; /* the person chose the first row, whatever it is */
	uint64_t selected_id;
	size_t selected_row; /* where it was at the last call */
	size_t top_row; /* first row in sight */
	int left_cols; /* scrolled sideways by */
	int page_rows; /* rows in sight at the last draw */
	int content_cols; /* columns wanted by what was drawn last */
	int view_cols;
	int dragged_column; /* id of the one whose border the mouse holds, -1: none */
};

#endif
