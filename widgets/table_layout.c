#include "widgets/table_layout.h"

#include <string.h>

static int natural_cols(const struct table *table, const struct table_layout *layout)
{
	int cols = layout->count ? (int)layout->count - 1 : 0;

	for (size_t i = 0; i < layout->count; i++)
		cols += table->columns[layout->spots[i].column].min_cols;
	return cols;
}

/* Takes out the column with the highest drop; false: none may be dropped. */
static bool drop_one(const struct table *table, struct table_layout *layout)
{
	size_t worst = 0;
	int highest = 0;

	for (size_t i = 0; i < layout->count; i++) {
		int drop = table->columns[layout->spots[i].column].drop;

		if (drop > 0 && drop >= highest) {
			highest = drop;
			worst = i;
		}
	}
	if (!highest)
		return false;
	layout->count--;
	memmove(&layout->spots[worst], &layout->spots[worst + 1],
		(layout->count - worst) * sizeof(layout->spots[0]));
	return true;
}

void table_layout_columns(const struct table *table, int view_cols, struct table_layout *layout)
{
	int spare, flex = 0, col = 0, last_flex = -1;

	layout->count = 0;
	for (size_t i = 0; i < table->column_count && layout->count < TABLE_MAX_COLUMNS; i++)
		if (!table->columns[i].hidden)
			layout->spots[layout->count++].column = i;
	while (natural_cols(table, layout) > view_cols && drop_one(table, layout))
		;
	spare = view_cols - natural_cols(table, layout);
	for (size_t i = 0; i < layout->count; i++) {
		flex += table->columns[layout->spots[i].column].flex;
		if (table->columns[layout->spots[i].column].flex)
			last_flex = (int)i;
	}
	for (size_t i = 0; i < layout->count; i++) {
		const struct table_column *column = &table->columns[layout->spots[i].column];
		int cols = column->min_cols;

		if (column->flex && spare > 0) {
			int share = spare * column->flex / flex;

			cols += share;
			spare -= share;
			flex -= column->flex;
		}
		if ((int)i == last_flex)
			cols += table->left_cols;
		layout->spots[i].col = col;
		layout->spots[i].cols = cols;
		col += cols + 1;
	}
	layout->cols = col ? col - 1 : 0;
}
