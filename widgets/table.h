/*
 * table - rows and columns with a header, a selected row and scrolling.
 *
 * The data comes from the caller through table_ops, already in display order: the table does not
 * sort, it only marks the column in .sort_column. The table owns scroll position and selection. A
 * row is identified by a 64-bit id, so that the selection follows the row when the order changes.
 * Until the user moves the cursor, the selection stays on the row of .start_row, if set, else on
 * the first row. MOVE_HOME makes it stay on whichever row is first. When the selected row
 * disappears, the row that takes its place is selected. table_columns.h holds the user's choice of
 * columns, their order and widths.
 *
 * The callbacks run only inside table_draw, _sync, _move, _scroll, _select, _search, _at and
 * _click. UI thread only.
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
	int border_of; /* id of the column left of a border in the header, -1: none */
	int cell_col; /* column of the canvas, relative to the cell */
	size_t row; /* TABLE_HIT_ROW */
	uint64_t row_id;
};

void table_init(struct table *table, const struct table_ops *ops, void *data,
		const struct table_column *columns, size_t column_count);

/* Find the selected row again after the data changed; table_draw() calls it. */
void table_sync(struct table *table);
void table_draw(struct table *table, struct canvas *canvas, bool focused);

void table_move(struct table *table, enum move move);
void table_scroll(struct table *table, int rows); /* the selection moves only to stay in view */
bool table_select(struct table *table, uint64_t id); /* false: no such row */
void table_deselect(struct table *table); /* as if the user never moved the cursor */

/* Return what is at a position of the canvas drawn last. Does not select. */
struct table_hit table_at(struct table *table, int row, int col);
/* As table_at(); also selects the row, or grabs the border of a column. */
struct table_hit table_click(struct table *table, int row, int col);
/*
 * Resize the column whose border is grabbed, so that it ends at col. False: no border is grabbed.
 */
bool table_drag(struct table *table, int col);

/*
 * Select the next row (step -1: previous) that contains text, ignoring case, wrapping around at the
 * end. from_here: test the selected row too. False: none.
 */
bool table_search(struct table *table, const char *text, int step, bool from_here);

/* Return the id of the shown column after (step 1) or before (-1) column_id, wrapping around. */
int table_column_step(const struct table *table, int column_id, int step);

#endif
