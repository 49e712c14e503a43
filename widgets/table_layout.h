/*
 * table_layout - positions of the columns of a table, for drawing and for the mouse.
 * Private to the table_*.c files.
 */
#ifndef WIDGETS_TABLE_LAYOUT_H
#define WIDGETS_TABLE_LAYOUT_H

#include "widgets/table_types.h"

struct table_layout {
	struct {
		size_t column; /* index into table->columns */
		int col, cols; /* place before horizontal scrolling */
		int min_cols, flex, flex_cols, first_cols, drop; /* as in struct table_column */
		bool grows; /* its cols include the horizontal scroll offset */
	} spots[TABLE_COLUMNS_MAX];
	size_t count;
	int cols; /* total width */
};

/*
 * Divide view_cols columns. One blank separates columns; spare columns are divided by flex. While
 * there is not enough room, columns with a drop value are omitted, then on very narrow screens
 * further columns. The flexible column that can grow most is widened by the horizontal scroll
 * offset, so that scrolling shows its whole text.
 */
void table_layout_columns(const struct table *table, int view_cols, struct table_layout *layout);

#endif
