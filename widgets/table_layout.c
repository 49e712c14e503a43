#include "widgets/table_layout.h"

#include <string.h>

static int natural_cols(const struct table_layout *layout)
{
	int cols = layout->count ? (int)layout->count - 1 : 0;

	for (size_t i = 0; i < layout->count; i++)
		cols += layout->spots[i].min_cols;
	return cols;
}

/* Takes out the column with the highest drop; false: none may be dropped. */
static bool drop_one(struct table_layout *layout)
{
	size_t worst = 0;
	int highest = 0;

	for (size_t i = 0; i < layout->count; i++) {
		int drop = layout->spots[i].drop;

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

/* What somebody chose to see, or how wide, counts for more than what is left to the room. */
static void take_columns(const struct table *table, struct table_layout *layout)
{
	size_t shown[TABLE_COLUMNS_MAX];

	layout->count = table_columns_shown(table, shown);
	for (size_t i = 0; i < layout->count; i++) {
		const struct table_column *column = &table->columns[shown[i]];
		int cols = table_column_cols(table, shown[i]);

		layout->spots[i].column = shown[i];
		layout->spots[i].min_cols = cols ? cols : column->min_cols;
		layout->spots[i].flex = cols ? 0 : column->flex;
		layout->spots[i].drop = column->optional && column->drop ? 1 : column->drop;
	}
}

void table_layout_columns(const struct table *table, int view_cols, struct table_layout *layout)
{
	int spare, flex = 0, col = 0, last_flex = -1;

	take_columns(table, layout);
	while (natural_cols(layout) > view_cols && drop_one(layout))
		;
	spare = view_cols - natural_cols(layout);
	for (size_t i = 0; i < layout->count; i++) {
		flex += layout->spots[i].flex;
		if (layout->spots[i].flex)
			last_flex = (int)i;
	}
	for (size_t i = 0; i < layout->count; i++) {
		int cols = layout->spots[i].min_cols;

		if (layout->spots[i].flex && spare > 0) {
			int share = spare * layout->spots[i].flex / flex;

			cols += share;
			spare -= share;
			flex -= layout->spots[i].flex;
		}
		if ((int)i == last_flex)
			cols += table->left_cols;
		layout->spots[i].col = col;
		layout->spots[i].cols = cols;
		col += cols + 1;
	}
	layout->cols = col ? col - 1 : 0;
}
