/*
 * table_pane - what all panes that are a table share: title, sorting, selection, mouse,
 * search, the row as text.
 *
 * A pane embeds it as its first member, so that the verbs below, which take the pane, stand
 * in its pane_ops as they are (TABLE_PANE_VERBS), and says with a table_pane_ops what its
 * rows are. Rows are borrowed pointers in the order shown. UI thread only.
 */
#ifndef VIEW_TABLE_PANE_H
#define VIEW_TABLE_PANE_H

#include "tui/view/pane.h"

struct table_pane;

struct table_pane_ops {
	const char *name; /* of the table, for settings: table.h */
	/* The two ends of the title line, appended. */
	void (*say_title)(struct table_pane *pane, struct str *title, struct str *right);
	/* As table_ops.row_id; equal rows are shown in the order of their ids. */
	uint64_t (*id)(const struct table_pane *pane, const void *row);
	void (*cell)(struct table_pane *pane, const void *row, int column_id,
		     struct table_cell *out);
	/* Ascending. NULL: the rows have one order only. */
	int (*compare)(const struct table_pane *pane, const void *a, const void *b, int column_id);
	/* NULL, or puts .rows in order by itself. */
	void (*arrange)(struct table_pane *pane);
	/* NULL, or whether a row is not to be selected before the cursor was moved. */
	bool (*is_past)(const struct table_pane *pane, const void *row);
	/* NULL, or lines between title and table; returns how many. */
	int (*draw_above)(struct table_pane *pane, struct canvas *canvas);
	/* NULL, or as table_ops.prepare; rows as cell() gets them. */
	void (*prepare)(struct table_pane *pane, const void *const *rows, size_t count);
	/* NULL, or where rows are no pointers: id, cell and compare are not called then. */
	const struct table_ops *table;
	const char *row_type; /* what a row is called in files */
	/* NULL, or a row's values for programs. */
	void (*fields)(const struct table_pane *pane, const void *row, struct fields *fields);
	bool rows_are_calls; /* struct call: they are written as such */
	/* NULL, or what a search looks through in place of all cells. */
	void (*search_text)(struct table_pane *pane, const void *row, struct str *out);
};

struct table_pane {
	struct table table;
	const struct table_pane_ops *ops;
	struct session *session; /* of the last refresh */
	const void **rows;
	size_t count, capacity;
	struct str empty_text; /* why there are no rows: written by the pane */
	int above_rows; /* at the last draw */
};

/* The pane that embeds it begins at `pane`; columns are borrowed. */
void table_pane_init(struct table_pane *pane, const struct table_pane_ops *ops,
		     const struct table_column *columns, size_t column_count);
void table_pane_release(struct table_pane *pane);

/* To begin a refresh with. */
void table_pane_refresh(struct table_pane *pane, struct session *session);
/* Room for so many rows, which the caller writes and then sorts. */
void table_pane_resize(struct table_pane *pane, size_t count);
void table_pane_sort(struct table_pane *pane);
/* "by TOTAL ▼", with another name than the column's title if one is given; appended. */
void table_pane_say_order(const struct table_pane *pane, const char *name, struct str *out);
/* The selected row's index; false: none is selected. */
bool table_pane_selected(struct table_pane *pane, size_t *row);
/* The selected one of .rows, NULL: none. */
const void *table_pane_selected_row(struct table_pane *pane);

static inline int compare_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* ---- as pane_ops ask for them ---- */

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
