/*
 * table_layout - where the columns of a table lie, for drawing and for the mouse.
 * Part of table; not for others.
 */
#ifndef WIDGETS_TABLE_LAYOUT_H
#define WIDGETS_TABLE_LAYOUT_H

#include "widgets/table_types.h"

struct table_layout {
	struct {
		size_t column; /* index into table->columns */
		int col, cols; /* before scrolling sideways */
		int min_cols, flex, flex_cols, first_cols, drop; /* as wanted */
		bool grows; /* by what is scrolled sideways */
	} spots[TABLE_COLUMNS_MAX];
	size_t count;
	int cols; /* of all of them */
};

/*
 * Divides view_cols columns: one blank between columns, spare ones by flex, droppable ones
 * left out while there is not enough; where it is very narrow, others too. The one that may be
 * the widest grows by what is scrolled sideways, so that its text comes into sight.
 */
void table_layout_columns(const struct table *table, int view_cols, struct table_layout *layout);

#endif
