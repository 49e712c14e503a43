/*
 * table_types - a table, its columns and its cells.
 *
 * table.h has the functions of a table, table_columns.h the choice of columns. UI thread only.
 */
#ifndef WIDGETS_TABLE_TYPES_H
#define WIDGETS_TABLE_TYPES_H

#include "engine/base/str.h"
#include "widgets/canvas/canvas.h"

#include <stdint.h>

#define TABLE_COLUMNS_MAX 64
#define TABLE_COLUMN_COLS_MAX 500

struct table_column {
	int id; /* chosen by the caller, >= 0 */
	const char *name; /* in the text form: one lower-case word; NULL: not selectable */
	const char *title;
	const char *help; /* description for the help page, or NULL */
	int min_cols;
	int flex; /* share of spare columns; 0: always min_cols */
	int flex_cols; /* limit of growth by flex; 0: none */
	int first_cols; /* up to this width, it takes spare columns before other columns */
	int lend_cols; /* > 0: width that remains when a row lends room to the next cell */
	enum align align;
	bool descending; /* initial direction of a sort by this column; used by the caller */
	bool hidden; /* has nothing to show now; overrides the choice */
	bool optional; /* shown only if the user chose it */
	int drop; /* > 0: omitted on narrow screens, the highest first */
};

struct table_columns {
	struct table_columns_item {
		int id;
		int cols; /* 0: default */
		bool off;
	} items[TABLE_COLUMNS_MAX]; /* every column of the table, in display order */
	size_t count; /* 0: no choice was made */
};

#define TABLE_SPANS_MAX 8

/* A part of the text of a cell with its own role. */
struct table_span {
	size_t from, to; /* bytes */
	enum role role;
};

struct table_cell {
	struct str text; /* initially empty; append UTF-8. The table cuts or pads it. */
	enum role role; /* ROLE_TEXT unless set */
	struct table_span spans[TABLE_SPANS_MAX];
	size_t span_count; /* 0 unless set */
	int cols; /* width of the cell; 0: the whole text is wanted */
};

struct table_ops {
	size_t (*row_count)(void *data);
	uint64_t (*row_id)(void *data, size_t row);
	void (*cell)(void *data, size_t row, int column_id, struct table_cell *cell);
	/*
	 * May be NULL. Find the row of an id; false: gone. Without it the table searches the rows.
	 */
	bool (*find_row)(void *data, uint64_t id, size_t *row);
	/*
	 * May be NULL. Draw a cell on a canvas of one row; the selection is painted over it. False:
	 * not drawn, use the text of .cell.
	 */
	bool (*draw)(void *data, size_t row, int column_id, struct canvas *canvas);
	/*
	 * May be NULL. Called before the cells of these rows are read, so that one query serves all
	 * rows.
	 */
	void (*prepare)(void *data, size_t first, size_t count);
	/*
	 * May be NULL. Return the row that is selected until the user moves the cursor. Called
	 * only if there are rows.
	 */
	size_t (*start_row)(void *data);
	/* May be NULL. Append the text that a search matches, instead of the texts of all cells. */
	void (*search_text)(void *data, size_t row, struct str *out);
};

struct table {
	const struct table_ops *ops;
	void *data;
	const struct table_column *columns; /* borrowed; the caller can change it between calls */
	size_t column_count;
	struct table_columns chosen; /* changed through table_columns.h */

	/* The caller can set the following members between calls. */
	const char *name; /* one word, for settings; NULL: columns are not selectable */
	int sort_column; /* column id, -1: no mark */
	bool sort_descending;
	bool follow; /* follow the last row; moving up turns it off */
	bool no_header;
	const char *empty_text; /* shown instead of rows: why there are none. Borrowed. */
	const char *match; /* text drawn as ROLE_MATCH, or NULL. Borrowed. */

	/* The functions of table.h change the following members; the caller only reads them. */
	bool has_selection;
	bool pinned; /* the user chose the row */
	bool at_home; /* the user chose the first row, whichever it is */
	uint64_t selected_id;
	size_t selected_row; /* at the last call */
	size_t top_row; /* first visible row */
	int left_cols; /* horizontal scroll offset */
	int page_rows; /* visible rows at the last draw */
	int content_cols; /* width of the last draw, including text that scrolling can show */
	int view_cols;
	int dragged_column; /* id of the column whose border the mouse drags, -1: none */
};

#endif
