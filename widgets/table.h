/*
 * table - rows and columns with a header, a selected row and scrolling.
 *
 * The caller's data answers through table_ops, in the order that it wants rows shown: the
 * table does not sort, it only marks the column in .sort_column. The table owns scroll and
 * selection. A row is known by a 64-bit id, so selection follows the row when the order
 * changes; while nobody has moved the cursor it stays on the row that .start_row says, or on the
 * first one, and after MOVE_HOME on the first one.
 * When the selected row is gone, the row now in its place is selected. Which columns are shown,
 * in what order and how wide, is a person's choice too: see table_columns.h.
 *
 * Calls on data happen only inside table_draw, _sync, _move, _search and _click. UI thread only.
 */
#ifndef WIDGETS_TABLE_H
#define WIDGETS_TABLE_H

#include "widgets/canvas/canvas.h"
#include "widgets/move.h"
#include "widgets/table_columns.h"
#include "widgets/table_types.h"
#include "widgets/terminal/event.h"

#include <stdint.h>

enum table_hit_kind { TABLE_HIT_NONE, TABLE_HIT_HEADER, TABLE_HIT_ROW };

struct table_hit {
	enum table_hit_kind kind;
	int column_id; /* -1: between columns */
	int border_of; /* id of the column on the left of a border in the header, -1: none */
	int cell_col; /* column of the canvas within that cell */
	size_t row; /* TABLE_HIT_ROW */
	uint64_t row_id;
};

void table_init(struct table *table, const struct table_ops *ops, void *data,
		const struct table_column *columns, size_t column_count);

/* Finds the selected row again after the data changed; table_draw does it by itself. */
void table_sync(struct table *table);
void table_draw(struct table *table, struct canvas *canvas, bool focused);

void table_move(struct table *table, enum move move);
void table_scroll(struct table *table, int rows); /* the wheel: the view, then the selection */
bool table_select(struct table *table, uint64_t id); /* false: no such row */
void table_deselect(struct table *table); /* back to "nobody has moved the cursor" */

/* What is at a position of the canvas drawn last. Does not select. */
struct table_hit table_at(struct table *table, int row, int col);
/* The same for a click, which selects the row that it hits or takes hold of a border. */
struct table_hit table_click(struct table *table, int row, int col);
/* The mouse went on to there: a column whose border it holds ends there from now on. */
bool table_drag(struct table *table, int col);

/*
 * Selects the next row (previous: step -1) below the selected one that contains text, ignoring
 * case, going round at the end; with from_here the selected row counts too. False: none.
 */
bool table_search(struct table *table, const char *text, int step, bool from_here);

/* The shown column after (step 1) or before (-1) column_id, round at the ends. */
int table_column_step(const struct table *table, int column_id, int step);

#endif
