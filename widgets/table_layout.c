#include "widgets/table_layout.h"

#include <string.h>

#define NARROW_COLS 32
#define SQUEEZED_COLS 10

static int natural_cols(const struct table_layout *layout)
{
	int cols = layout->count ? (int)layout->count - 1 : 0;

	for (size_t i = 0; i < layout->count; i++)
		cols += layout->spots[i].min_cols;
	return cols;
}

static void take_out(struct table_layout *layout, size_t spot)
{
	layout->count--;
	memmove(&layout->spots[spot], &layout->spots[spot + 1],
		(layout->count - spot) * sizeof(layout->spots[0]));
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
	take_out(layout, worst);
	return true;
}

/*
 * Where it is too narrow even for what else stays: what can be wide is cut short, and then the
 * columns go, the last one first, but for those that are wide and the one that rows are sorted
 * by: what a row is, and why it is here.
 */
static void squeeze(const struct table *table, int view_cols, struct table_layout *layout)
{
	for (size_t i = 0; i < layout->count; i++)
		if (layout->spots[i].flex && layout->spots[i].min_cols > SQUEEZED_COLS)
			layout->spots[i].min_cols = SQUEEZED_COLS;
	for (size_t i = layout->count; i-- > 0 && layout->count > 1;)
		if (natural_cols(layout) > view_cols && !layout->spots[i].flex &&
		    table->columns[layout->spots[i].column].id != table->sort_column)
			take_out(layout, i);
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
		layout->spots[i].flex_cols = column->flex_cols;
		layout->spots[i].drop = column->optional && column->drop ? 1 : column->drop;
	}
}

void table_layout_columns(const struct table *table, int view_cols, struct table_layout *layout)
{
	int spare, flex = 0, col = 0, last_flex = -1;

	take_columns(table, layout);
	while (natural_cols(layout) > view_cols && drop_one(layout))
		;
	if (view_cols < NARROW_COLS && natural_cols(layout) > view_cols)
		squeeze(table, view_cols, layout);
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
			int most = layout->spots[i].flex_cols - cols;

			if (layout->spots[i].flex_cols && share > most)
				share = most > 0 ? most : 0;
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
