/* table_draw - the drawing part of table.h. */
#include "widgets/table.h"

#include "engine/base/utf8.h"
#include "widgets/canvas/glyph.h"
#include "widgets/canvas/wrap.h"
#include "widgets/table_layout.h"

#include <string.h>

static void draw_header(const struct table *table, struct canvas *canvas,
			const struct table_layout *layout)
{
	canvas_fill(canvas, (struct rect){ 0, 0, 1, canvas->cols }, ' ', ROLE_HEADER);
	for (size_t i = 0; i < layout->count; i++) {
		const struct table_column *column = &table->columns[layout->spots[i].column];
		bool sorted = column->id == table->sort_column;
		int col = layout->spots[i].col - table->left_cols, cols = layout->spots[i].cols;
		int title_cols = utf8_text_width(column->title, strlen(column->title));
		int shown = title_cols + (sorted ? 1 : 0);
		struct canvas field = canvas_sub(canvas, (struct rect){ 0, col, 1, cols });
		int at = column->align == ALIGN_RIGHT    ? cols - shown
			 : column->align == ALIGN_CENTER ? (cols - shown) / 2
							 : 0;

		if (sorted) /* the arrow has priority over the title */
			canvas_paint(&field, canvas_rect(&field), ROLE_HEADER_SORT);
		if (at < 0)
			at = 0;
		if (shown > cols)
			title_cols = cols - (sorted ? 1 : 0);
		canvas_field(&field, 0, at, title_cols, ALIGN_LEFT,
			     sorted ? ROLE_HEADER_SORT : ROLE_HEADER, column->title,
			     strlen(column->title));
		if (sorted)
			canvas_char(&field, 0, at + title_cols,
				    table->sort_descending ? GLYPH_SORT_DOWN : GLYPH_SORT_UP,
				    ROLE_HEADER_SORT);
	}
}

static void paint_text(struct canvas *cell_canvas, const struct table_cell *cell, int start,
		       size_t from, size_t to, enum role role)
{
	const char *text = cell->text.data;
	int col = start + utf8_text_width(text, from);
	int cols = utf8_text_width(text + from, to - from);

	canvas_paint(cell_canvas, (struct rect){ 0, col, 1, cols }, role);
}

static void paint_spans(struct canvas *cell_canvas, const struct table_cell *cell, int start)
{
	for (size_t i = 0; i < cell->span_count; i++)
		paint_text(cell_canvas, cell, start, cell->spans[i].from, cell->spans[i].to,
			   cell->spans[i].role);
}

/* Mark each occurrence of the searched text in the drawn cell. */
static void paint_matches(const struct table *table, struct canvas *cell_canvas,
			  const struct table_cell *cell, int start)
{
	size_t len = table->match ? strlen(table->match) : 0;
	const char *at = cell->text.data;

	if (!len)
		return;
	while ((at = strcasestr(at, table->match))) {
		size_t from = (size_t)(at - cell->text.data);

		paint_text(cell_canvas, cell, start, from, from + len, ROLE_MATCH);
		at += len;
	}
}

static void ask_cell(struct table *table, size_t row, int column_id, int cols,
		     struct table_cell *cell)
{
	str_clear(&cell->text);
	cell->role = ROLE_TEXT;
	cell->span_count = 0;
	cell->cols = cols;
	table->ops->cell(table->data, row, column_id, cell);
}

/* Return the number of columns that this cell lends to the next cell of the row. */
static int lent_cols(struct table *table, size_t row, size_t spot,
		     const struct table_layout *layout, struct table_cell *cell)
{
	int left = table->columns[layout->spots[spot].column].lend_cols, lacks, spare;

	if (!left || spot + 1 >= layout->count)
		return 0;
	ask_cell(table, row, table->columns[layout->spots[spot + 1].column].id, 0, cell);
	lacks = utf8_text_width(cell->text.data, cell->text.len) - layout->spots[spot + 1].cols;
	spare = layout->spots[spot].cols - left;
	if (lacks > spare)
		lacks = spare;
	return lacks > 0 ? lacks : 0;
}

/* Draw a cell; return the width of its whole text. */
static int draw_cell(struct table *table, struct canvas *canvas, size_t row,
		     const struct table_column *column, struct table_cell *cell)
{
	int cols = canvas->cols, width, start = 0;

	if (table->ops->draw && table->ops->draw(table->data, row, column->id, canvas))
		return cols;
	ask_cell(table, row, column->id, cols, cell);
	canvas_field(canvas, 0, 0, cols, column->align, cell->role, cell->text.data,
		     cell->text.len);
	if (!table->match && !cell->span_count && !column->flex)
		return cols;
	width = utf8_text_width(cell->text.data, cell->text.len);
	if (width < cols && column->align != ALIGN_LEFT)
		start = column->align == ALIGN_RIGHT ? cols - width : (cols - width) / 2;
	paint_spans(canvas, cell, start);
	paint_matches(table, canvas, cell, start);
	return column->flex ? width : cols;
}

static void draw_row(struct table *table, struct canvas *canvas, size_t row,
		     const struct table_layout *layout, struct table_cell *cell)
{
	int lent = 0;

	for (size_t i = 0; i < layout->count; i++) {
		const struct table_column *column = &table->columns[layout->spots[i].column];
		int col = layout->spots[i].col - lent, cols = layout->spots[i].cols + lent;
		struct canvas cell_canvas;
		int hidden;

		lent = lent_cols(table, row, i, layout, cell);
		cols -= lent;
		cell_canvas = canvas_sub(canvas,
					 (struct rect){ 0, col - table->left_cols, 1, cols });
		if (rect_is_empty(cell_canvas.clip) && !layout->spots[i].grows)
			continue;
		hidden = draw_cell(table, &cell_canvas, row, column, cell) - cols;
		/* Allow scrolling until the end of the text of the growing column is visible. */
		if (layout->spots[i].grows && layout->cols + hidden > table->content_cols)
			table->content_cols = layout->cols + hidden;
	}
}

/* Paint the selected row, except search matches, which stay visible. */
static void paint_selection(struct canvas *line, enum role role)
{
	for (int col = 0; col < line->cols; col++) {
		const struct cell *cell = canvas_cell(line, 0, col);

		if (cell && cell->role != ROLE_MATCH)
			canvas_paint(line, (struct rect){ 0, col, 1, 1 }, role);
	}
}

static size_t in_sight(const struct table *table, size_t count)
{
	size_t left = count - table->top_row, page = (size_t)table->page_rows;

	return page < left ? page : left;
}

void table_draw(struct table *table, struct canvas *canvas, bool focused)
{
	struct table_cell cell = { .text = STR_INIT };
	int header = table->no_header ? 0 : 1;
	struct table_layout layout;
	size_t count;

	table->page_rows = canvas->rows > header ? canvas->rows - header : 1;
	table->view_cols = canvas->cols;
	table_sync(table);
	count = table->ops->row_count(table->data);
	table_layout_columns(table, canvas->cols, &layout);
	/* Allow the present scroll offset even if the long lines that need it are out of view. */
	table->content_cols = table->left_cols + canvas->cols;
	if (layout.cols - table->left_cols > canvas->cols)
		table->content_cols = layout.cols;
	canvas_clear(canvas);
	if (header)
		draw_header(table, canvas, &layout);
	if (table->ops->prepare && table->top_row < count)
		table->ops->prepare(table->data, table->top_row, in_sight(table, count));
	for (int i = header; i < canvas->rows; i++) {
		size_t row = table->top_row + (size_t)(i - header);
		struct canvas line = canvas_sub(canvas, (struct rect){ i, 0, 1, canvas->cols });

		if (row >= count)
			break;
		draw_row(table, &line, row, &layout, &cell);
		if (table->has_selection && row == table->selected_row)
			paint_selection(&line, focused ? ROLE_SELECTED : ROLE_SELECTED_UNFOCUSED);
	}
	if (!count && table->empty_text)
		wrap_draw(canvas, header + (canvas->rows - header > 2 ? 1 : 0), 1, canvas->cols - 2,
			  ROLE_DIM, table->empty_text);
	str_release(&cell.text);
}
