#include "widgets/table_layout.h"

#include "widgets/table_columns.h"

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

/* Remove the column with the highest .drop; false: no column has one. */
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
 * True for flexible columns; if any column has first_cols, only for flexible columns with
 * first_cols.
 */
static bool is_main(const struct table_layout *layout, size_t spot)
{
	bool any_first = false;

	for (size_t i = 0; i < layout->count; i++)
		any_first = any_first || layout->spots[i].first_cols;
	return layout->spots[spot].flex && (!any_first || layout->spots[spot].first_cols);
}

/*
 * Fit screens that are too narrow even for the remaining columns. First shorten flexible columns,
 * then remove columns, the last one first. The main columns and the sort column stay: they identify
 * a row and explain its position.
 */
static void squeeze(const struct table *table, int view_cols, struct table_layout *layout)
{
	for (size_t i = 0; i < layout->count; i++)
		if (layout->spots[i].flex && layout->spots[i].min_cols > SQUEEZED_COLS)
			layout->spots[i].min_cols = SQUEEZED_COLS;
	for (size_t i = layout->count; i-- > 0 && layout->count > 1;)
		if (natural_cols(layout) > view_cols && !is_main(layout, i) &&
		    table->columns[layout->spots[i].column].id != table->sort_column)
			take_out(layout, i);
}

/* Take the columns and widths that the user chose; a chosen width stays fixed. */
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
		layout->spots[i].first_cols = cols ? 0 : column->first_cols;
		layout->spots[i].drop = column->optional && column->drop ? 1 : column->drop;
	}
}

static bool can_grow(const struct table_layout *layout, size_t i)
{
	int limit = layout->spots[i].flex_cols;

	return layout->spots[i].flex && (!limit || layout->spots[i].cols < limit);
}

static int sum_of_flex(const struct table_layout *layout)
{
	int flex = 0;

	for (size_t i = 0; i < layout->count; i++)
		if (can_grow(layout, i))
			flex += layout->spots[i].flex;
	return flex;
}

/*
 * Grow the columns whose share exceeds their limit to that limit. True: the other columns get more.
 */
static bool fill_limited(struct table_layout *layout, int flex, int *spare)
{
	int room = *spare;

	for (size_t i = 0; i < layout->count; i++) {
		int more = layout->spots[i].flex_cols - layout->spots[i].cols;

		if (!can_grow(layout, i) || !layout->spots[i].flex_cols ||
		    more > room * layout->spots[i].flex / flex)
			continue;
		layout->spots[i].cols += more;
		*spare -= more;
	}
	return *spare != room;
}

static void share_out(struct table_layout *layout, int spare)
{
	int flex;

	for (size_t i = 0; i < layout->count; i++) {
		int more = layout->spots[i].first_cols - layout->spots[i].cols;

		if (more <= 0)
			continue;
		if (more > spare)
			more = spare;
		layout->spots[i].cols += more;
		spare -= more;
	}
	while ((flex = sum_of_flex(layout)) && fill_limited(layout, flex, &spare))
		;
	for (size_t i = 0; i < layout->count && flex; i++) {
		int share = spare * layout->spots[i].flex / flex;

		if (!can_grow(layout, i))
			continue;
		flex -= layout->spots[i].flex;
		layout->spots[i].cols += share;
		spare -= share;
	}
}

/*
 * Return the last flexible column that has no growth limit; if all have one, the last one with the
 * highest limit. -1: no column is flexible.
 */
static int widest(const struct table_layout *layout)
{
	int found = -1;

	for (size_t i = 0; i < layout->count; i++) {
		int limit = layout->spots[i].flex_cols;

		if (layout->spots[i].flex &&
		    (found < 0 || !limit ||
		     (layout->spots[found].flex_cols && limit >= layout->spots[found].flex_cols)))
			found = (int)i;
	}
	return found;
}

void table_layout_columns(const struct table *table, int view_cols, struct table_layout *layout)
{
	int spare, col = 0, grows;

	take_columns(table, layout);
	while (natural_cols(layout) > view_cols && drop_one(layout))
		;
	if (view_cols < NARROW_COLS && natural_cols(layout) > view_cols)
		squeeze(table, view_cols, layout);
	spare = view_cols - natural_cols(layout);
	for (size_t i = 0; i < layout->count; i++)
		layout->spots[i].cols = layout->spots[i].min_cols;
	if (spare > 0)
		share_out(layout, spare);
	grows = widest(layout);
	for (size_t i = 0; i < layout->count; i++) {
		layout->spots[i].grows = (int)i == grows;
		if (layout->spots[i].grows)
			layout->spots[i].cols += table->left_cols;
		layout->spots[i].col = col;
		col += layout->spots[i].cols + 1;
	}
	layout->cols = col ? col - 1 : 0;
}
