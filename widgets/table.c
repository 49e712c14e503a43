#include "widgets/table.h"

#include "engine/base/utf8.h"
#include "widgets/canvas/glyph.h"
#include "widgets/table_layout.h"

#include <string.h>

#define SIDEWAYS_COLS 8

static size_t row_count(const struct table *table)
{
	return table->ops->row_count(table->data);
}

void table_init(struct table *table, const struct table_ops *ops, void *data,
		const struct table_column *columns, size_t column_count)
{
	*table = (struct table){
		.ops = ops,
		.data = data,
		.columns = columns,
		.column_count = column_count,
		.sort_column = -1,
		.page_rows = 1,
		.dragged_column = -1,
	};
}

/* ---- selection ---- */

static void select_row(struct table *table, size_t row)
{
	table->selected_row = row;
	table->selected_id = table->ops->row_id(table->data, row);
	table->has_selection = true;
}

static bool find_row(const struct table *table, uint64_t id, size_t count, size_t *row)
{
	size_t near = table->selected_row < count ? table->selected_row : count;

	if (near < count && table->ops->row_id(table->data, near) == id) {
		*row = near;
		return true;
	}
	if (table->ops->find_row)
		return table->ops->find_row(table->data, id, row) && *row < count;
	/* Rows rarely move far: search outwards from the old position. */
	for (size_t distance = 1; distance <= near || near + distance < count; distance++) {
		if (near + distance < count &&
		    table->ops->row_id(table->data, near + distance) == id) {
			*row = near + distance;
			return true;
		}
		if (distance <= near && table->ops->row_id(table->data, near - distance) == id) {
			*row = near - distance;
			return true;
		}
	}
	return false;
}

static size_t last_top(const struct table *table, size_t count)
{
	size_t page = (size_t)table->page_rows;

	return count > page ? count - page : 0;
}

static void scroll_to_selection(struct table *table)
{
	size_t page = (size_t)table->page_rows;

	if (table->selected_row < table->top_row)
		table->top_row = table->selected_row;
	else if (table->selected_row >= table->top_row + page)
		table->top_row = table->selected_row - page + 1;
}

void table_sync(struct table *table)
{
	size_t count = row_count(table), row;

	if (!count) {
		/* Retain the id: the row can return with the next snapshot. */
		table->has_selection = false;
		table->top_row = 0;
		return;
	}
	if (table->follow) {
		select_row(table, count - 1);
		table->top_row = last_top(table, count);
		table->pinned = true; /* or the view would jump to the top when follow ends */
		return;
	}
	if (!table->pinned) {
		select_row(table, table->ops->start_row && !table->at_home
					  ? table->ops->start_row(table->data)
					  : 0);
		table->top_row = 0;
		scroll_to_selection(table);
		return;
	}
	if (find_row(table, table->selected_id, count, &row)) {
		bool in_sight = table->selected_row >= table->top_row &&
				table->selected_row < table->top_row + (size_t)table->page_rows;
		size_t offset = table->selected_row - table->top_row;

		/* Rows inserted or removed above do not move the selected row on the screen. */
		if (row != table->selected_row && in_sight)
			table->top_row = row > offset ? row - offset : 0;
		table->selected_row = row;
		table->has_selection = true;
	} else {
		select_row(table, table->selected_row < count ? table->selected_row : count - 1);
	}
	if (table->top_row > last_top(table, count))
		table->top_row = last_top(table, count);
	scroll_to_selection(table);
}

bool table_select(struct table *table, uint64_t id)
{
	size_t row;

	if (!find_row(table, id, row_count(table), &row))
		return false;
	table->follow = false;
	table->pinned = true;
	select_row(table, row);
	scroll_to_selection(table);
	return true;
}

void table_deselect(struct table *table)
{
	table->pinned = table->at_home = false;
	table->has_selection = false;
	table->selected_row = 0;
	table->selected_id = 0;
	table->top_row = 0;
	table->left_cols = 0;
}

/* ---- moving ---- */

static void move_by(struct table *table, size_t count, long rows)
{
	long row = (long)table->selected_row + rows;
	bool down = rows > 0;

	if (row < 0)
		row = 0;
	if (row >= (long)count)
		row = (long)count - 1;
	if (table->follow && down)
		return;
	table->follow = false;
	table->pinned = true;
	select_row(table, (size_t)row);
	scroll_to_selection(table);
}

static void move_sideways(struct table *table, int cols)
{
	int limit = table->content_cols - table->view_cols;

	table->left_cols += cols;
	if (table->left_cols > limit)
		table->left_cols = limit;
	if (table->left_cols < 0)
		table->left_cols = 0;
}

void table_move(struct table *table, enum move move)
{
	size_t count;
	long page = table->page_rows > 1 ? table->page_rows - 1 : 1;

	if (move == MOVE_LEFT || move == MOVE_RIGHT) {
		move_sideways(table, move == MOVE_LEFT ? -SIDEWAYS_COLS : SIDEWAYS_COLS);
		return;
	}
	if (move == MOVE_LINE_START || move == MOVE_LINE_END) {
		move_sideways(table,
			      move == MOVE_LINE_START ? -table->left_cols : table->content_cols);
		return;
	}
	table_sync(table);
	count = row_count(table);
	if (!count)
		return;
	switch (move) {
	case MOVE_UP:
		move_by(table, count, -1);
		break;
	case MOVE_DOWN:
		move_by(table, count, 1);
		break;
	case MOVE_PAGE_UP:
		move_by(table, count, -page);
		break;
	case MOVE_PAGE_DOWN:
		move_by(table, count, page);
		break;
	case MOVE_HALF_UP:
		move_by(table, count, -(page / 2 + 1));
		break;
	case MOVE_HALF_DOWN:
		move_by(table, count, page / 2 + 1);
		break;
	case MOVE_HOME:
		table->follow = false;
		table->pinned = false;
		table->at_home = true;
		select_row(table, 0);
		table->top_row = 0;
		break;
	case MOVE_END:
		move_by(table, count, (long)count);
		break;
	case MOVE_LEFT:
	case MOVE_RIGHT:
	case MOVE_LINE_START:
	case MOVE_LINE_END:
		break;
	}
}

void table_scroll(struct table *table, int rows)
{
	size_t count, limit, page = (size_t)table->page_rows;
	long top;

	table_sync(table);
	count = row_count(table);
	if (!count || (table->follow && rows > 0))
		return;
	limit = last_top(table, count);
	top = (long)table->top_row + rows;
	table->top_row = top < 0 ? 0 : (size_t)top > limit ? limit : (size_t)top;
	/* A table without hidden rows does not scroll, so the wheel does not pin the selection. */
	if (!limit)
		return;
	table->follow = false;
	table->pinned = true;
	if (table->selected_row < table->top_row)
		select_row(table, table->top_row);
	else if (table->selected_row >= table->top_row + page)
		select_row(table, table->top_row + page - 1);
}

/* ---- mouse ---- */

struct table_hit table_at(struct table *table, int row, int col)
{
	struct table_hit hit = { .kind = TABLE_HIT_NONE, .column_id = -1, .border_of = -1 };
	struct table_layout layout;
	int header = table->no_header ? 0 : 1;

	if (row < 0 || col < 0 || col >= table->view_cols)
		return hit;
	table_layout_columns(table, table->view_cols, &layout);
	for (size_t i = 0; i < layout.count; i++) {
		int start = layout.spots[i].col - table->left_cols;

		if (col >= start && col < start + layout.spots[i].cols) {
			hit.column_id = table->columns[layout.spots[i].column].id;
			hit.cell_col = col - start;
		}
		if (row < header && i + 1 < layout.count && col == start + layout.spots[i].cols)
			hit.border_of = table->columns[layout.spots[i].column].id;
	}
	if (row < header) {
		hit.kind = TABLE_HIT_HEADER;
		return hit;
	}
	hit.row = table->top_row + (size_t)(row - header);
	if (row - header >= table->page_rows || hit.row >= row_count(table))
		return hit;
	hit.kind = TABLE_HIT_ROW;
	hit.row_id = table->ops->row_id(table->data, hit.row);
	return hit;
}

struct table_hit table_click(struct table *table, int row, int col)
{
	struct table_hit hit = table_at(table, row, col);

	table->dragged_column = hit.border_of;
	if (hit.kind == TABLE_HIT_ROW) {
		table->follow = false;
		table->pinned = true;
		select_row(table, hit.row);
	}
	return hit;
}

bool table_drag(struct table *table, int col)
{
	struct table_layout layout;

	if (table->dragged_column < 0)
		return false;
	table_layout_columns(table, table->view_cols, &layout);
	for (size_t i = 0; i < layout.count; i++) {
		int start = layout.spots[i].col - table->left_cols;

		if (table->columns[layout.spots[i].column].id == table->dragged_column)
			table_column_resize(table, table->dragged_column,
					    col > start ? col - start : 1);
	}
	return true;
}

int table_column_step(const struct table *table, int column_id, int step)
{
	size_t shown[TABLE_COLUMNS_MAX], count = table_columns_shown(table, shown);
	size_t at = step > 0 ? count - 1 : 0;

	if (!count)
		return column_id;
	for (size_t i = 0; i < count; i++)
		if (table->columns[shown[i]].id == column_id)
			at = i;
	at = (step > 0 ? at + 1 : at + count - 1) % count;
	return table->columns[shown[at]].id;
}

/* ---- search ---- */

static bool row_matches(struct table *table, size_t row, const char *text, struct table_cell *cell)
{
	size_t shown[TABLE_COLUMNS_MAX];

	if (table->ops->search_text) {
		str_clear(&cell->text);
		table->ops->search_text(table->data, row, &cell->text);
		return strcasestr(cell->text.data, text) != NULL;
	}
	for (size_t i = 0, count = table_columns_shown(table, shown); i < count; i++) {
		str_clear(&cell->text);
		cell->span_count = 0;
		table->ops->cell(table->data, row, table->columns[shown[i]].id, cell);
		if (strcasestr(cell->text.data, text))
			return true;
	}
	return false;
}

/* Number of rows that a search prepares at once. */
#define SEARCH_ROWS 64

/* Prepare `row` and the next rows in the direction of the search; return their number. */
static size_t prepare_search(struct table *table, size_t row, size_t count, int step)
{
	size_t rows = step < 0 ? row + 1 : count - row;

	if (rows > SEARCH_ROWS)
		rows = SEARCH_ROWS;
	if (table->ops->prepare)
		table->ops->prepare(table->data, step < 0 ? row + 1 - rows : row, rows);
	return rows;
}

bool table_search(struct table *table, const char *text, int step, bool from_here)
{
	struct table_cell cell = { .text = STR_INIT };
	size_t count, row, tries, prepared = 0;
	bool found = false;

	table_sync(table);
	count = row_count(table);
	row = table->selected_row;
	tries = from_here ? 0 : 1;
	if (!*text || !count)
		return false;
	for (; tries <= count && !found; tries++) {
		size_t ahead = tries % count;

		row = (table->selected_row + (step < 0 ? count - ahead : ahead)) % count;
		if (!prepared)
			prepared = prepare_search(table, row, count, step);
		prepared--;
		found = row_matches(table, row, text, &cell);
	}
	str_release(&cell.text);
	if (!found)
		return false;
	table->follow = false;
	table->pinned = true;
	select_row(table, row);
	scroll_to_selection(table);
	return true;
}
