/*
 * table_pane - shared part of all panes that are a table: title, sorting, selection, mouse, search,
 * the row as text.
 *
 * A pane embeds it as its first member. The operations below take the pane and can be used in its
 * pane_ops unchanged (TABLE_PANE_VERBS). A table_pane_ops describes the rows. Rows are borrowed
 * pointers in display order. UI thread only.
 */
#ifndef VIEW_TABLE_PANE_H
#define VIEW_TABLE_PANE_H

#include "tui/view/pane.h"

struct table_pane;

struct table_pane_ops {
	const char *name; /* name of the table in the settings, see table.h */
	/* Append the left and the right part of the title line. */
	void (*say_title)(struct table_pane *pane, struct str *title, struct str *right);
	/* As table_ops.row_id; rows that compare equal are sorted by id. */
	uint64_t (*id)(const struct table_pane *pane, const void *row);
	void (*cell)(struct table_pane *pane, const void *row, int column_id,
		     struct table_cell *out);
	/* Compare for ascending order. NULL: the order is fixed. */
	int (*compare)(const struct table_pane *pane, const void *a, const void *b, int column_id);
	/* Sort .rows. NULL: rows are sorted by compare(). */
	void (*arrange)(struct table_pane *pane);
	/* True if the initial selection skips this row. May be NULL. */
	bool (*is_past)(const struct table_pane *pane, const void *row);
	/* Draw lines between title and table; returns how many. May be NULL. */
	int (*draw_above)(struct table_pane *pane, struct canvas *canvas);
	/* As table_ops.prepare; `rows` are those that cell() gets. May be NULL. */
	void (*prepare)(struct table_pane *pane, const void *const *rows, size_t count);
	/* Replaces id, cell and compare for rows that are not pointers; otherwise NULL. */
	const struct table_ops *table;
	const char *row_type; /* type name of a row in exported files */
	/* Add the raw values of a row to an exported file. May be NULL. */
	void (*fields)(const struct table_pane *pane, const void *row, struct fields *fields);
	bool rows_are_calls; /* rows are struct call and are exported as calls */
	/* Append the text that a search scans instead of all cells. May be NULL. */
	void (*search_text)(struct table_pane *pane, const void *row, struct str *out);
};

struct table_pane {
	struct table table;
	const struct table_pane_ops *ops;
	struct session *session; /* session of the last refresh */
	const void **rows;
	size_t count, capacity;
	struct str empty_text; /* why there are no rows; set by the pane */
	int above_rows; /* rows above the table at the last draw: title and lines */
};

/* `pane` is the first member of the embedding pane; columns are borrowed. */
void table_pane_init(struct table_pane *pane, const struct table_pane_ops *ops,
		     const struct table_column *columns, size_t column_count);
void table_pane_release(struct table_pane *pane);

/* Call first in each refresh; clears empty_text. */
void table_pane_refresh(struct table_pane *pane, struct session *session);
/* Make room for `count` rows. The caller fills .rows and then sorts. */
void table_pane_resize(struct table_pane *pane, size_t count);
void table_pane_sort(struct table_pane *pane);
/* Append the sort order, as in "by TOTAL ▼"; name NULL: the title of the column. */
void table_pane_say_order(const struct table_pane *pane, const char *name, struct str *out);
/* Get the index of the selected row; false: none is selected. */
bool table_pane_selected(struct table_pane *pane, size_t *row);
/* Return the selected element of .rows; NULL: none. */
const void *table_pane_selected_row(struct table_pane *pane);

static inline int compare_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* ---- operations for pane_ops ---- */

void table_pane_draw(void *pane, struct session *session, struct canvas *canvas, bool focused);
bool table_pane_act(void *pane, struct session *session, enum action action);
void table_pane_click(void *pane, struct session *session, int row, int col);
void table_pane_drag(void *pane, struct session *session, int row, int col);
void table_pane_wheel(void *pane, struct session *session, int rows);
bool table_pane_search(void *pane, struct session *session, const char *text, int step,
		       bool from_here);
void table_pane_row_text(void *pane, struct session *session, struct str *out);
struct table *table_pane_table(void *pane);
void table_pane_exports(void *pane, struct session *session, struct export_subject *subject);
void table_pane_sort_by(void *pane, struct session *session, int column_id);

#define TABLE_PANE_VERBS \
	.draw = table_pane_draw, .click = table_pane_click, .drag = table_pane_drag, \
	.wheel = table_pane_wheel, .search = table_pane_search, .row_text = table_pane_row_text, \
	.table = table_pane_table, .exports = table_pane_exports

#endif
