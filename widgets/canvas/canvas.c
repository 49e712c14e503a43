#include "widgets/canvas/canvas.h"

#include "engine/base/mem.h"
#include "engine/base/utf8.h"
#include "widgets/canvas/ascii.h"
#include "widgets/canvas/glyph.h"

#include <stdlib.h>
#include <string.h>

static const struct cell blank = { .text = " ", .width = 1, .role = ROLE_TEXT };

void canvas_init(struct canvas *canvas, int rows, int cols, bool ascii)
{
	*canvas = (struct canvas){ .ascii = ascii };
	canvas_resize(canvas, rows, cols);
}

void canvas_release(struct canvas *canvas)
{
	free(canvas->cells);
	*canvas = (struct canvas){ .ascii = canvas->ascii };
}

void canvas_resize(struct canvas *canvas, int rows, int cols)
{
	if (rows < 1)
		rows = 1;
	if (cols < 1)
		cols = 1;
	canvas->cells = mem_realloc(canvas->cells, (size_t)rows * (size_t)cols,
				    sizeof(*canvas->cells));
	/* Initialize the cells, because canvas_clear() reads their old widths. */
	for (size_t i = 0; i < (size_t)rows * (size_t)cols; i++)
		canvas->cells[i] = blank;
	canvas->grid_cols = cols;
	canvas->row0 = canvas->col0 = 0;
	canvas->rows = rows;
	canvas->cols = cols;
	canvas->clip = canvas_rect(canvas);
	canvas_clear(canvas);
}

struct canvas canvas_sub(const struct canvas *canvas, struct rect rect)
{
	struct canvas sub = *canvas;

	sub.row0 += rect.row;
	sub.col0 += rect.col;
	sub.rows = rect.rows > 0 ? rect.rows : 0;
	sub.cols = rect.cols > 0 ? rect.cols : 0;
	sub.clip = rect_intersect(canvas->clip,
				  (struct rect){ sub.row0, sub.col0, sub.rows, sub.cols });
	return sub;
}

static struct cell *cell_at(const struct canvas *canvas, int grid_row, int grid_col)
{
	return &canvas->cells[(size_t)grid_row * (size_t)canvas->grid_cols + (size_t)grid_col];
}

static void cell_set_blank(struct cell *cell)
{
	uint8_t role = cell->role;

	*cell = blank;
	cell->role = role;
}

/* Before a cell is overwritten, blank the other half of a wide character. */
static void break_wide(const struct canvas *canvas, int grid_row, int grid_col)
{
	struct cell *cell = cell_at(canvas, grid_row, grid_col);

	if (cell->width == 0 && grid_col > 0)
		cell_set_blank(cell - 1);
	else if (cell->width == 2 && grid_col + 1 < canvas->grid_cols)
		cell_set_blank(cell + 1);
}

static void put(const struct canvas *canvas, int grid_row, int grid_col, const char *bytes,
		size_t len, int width, enum role role)
{
	struct rect clip = canvas->clip;
	struct cell *cell;

	if (grid_row < clip.row || grid_row >= clip.row + clip.rows ||
	    grid_col + width <= clip.col || grid_col >= clip.col + clip.cols)
		return;
	if (width == 2 && (grid_col < clip.col || grid_col + 1 >= clip.col + clip.cols)) {
		/* One half is clipped: blank the visible half. */
		if (grid_col < clip.col)
			grid_col++;
		bytes = " ";
		len = width = 1;
	}
	cell = cell_at(canvas, grid_row, grid_col);
	if (cell->width != 1)
		break_wide(canvas, grid_row, grid_col);
	*cell = (struct cell){ .width = (uint8_t)width, .role = (uint8_t)role };
	memcpy(cell->text, bytes, len);
	if (width == 2) {
		if (cell[1].width != 1)
			break_wide(canvas, grid_row, grid_col + 1);
		cell[1] = (struct cell){ .width = 0, .role = (uint8_t)role };
	}
}

/* Append a combining character to the preceding cell, if that has room. */
static void combine(const struct canvas *canvas, int grid_row, int grid_col, const char *bytes,
		    size_t len)
{
	struct cell *cell;
	size_t used;

	if (!rect_contains(canvas->clip, grid_row, grid_col))
		return;
	cell = cell_at(canvas, grid_row, grid_col);
	if (cell->width == 0 && grid_col > canvas->clip.col)
		cell--;
	used = strnlen(cell->text, CELL_TEXT_BYTES);
	if (cell->width && used + len < CELL_TEXT_BYTES)
		memcpy(cell->text + used, bytes, len);
}

/*
 * Return the columns of a character on this canvas. Characters that widgets draw have one column in
 * every locale, as the C locale has no width for them.
 */
static int char_width(uint32_t code)
{
	if (code < 0x7f)
		return code >= ' ' ? 1 : -1;
	if ((code >= 0x2500 && code <= 0x25cf) || (code >= 0x2190 && code <= 0x21ff) ||
	    (code >= 0x2800 && code <= 0x28ff) || code == GLYPH_ELLIPSIS ||
	    code == GLYPH_MIDDLE_DOT)
		return 1;
	return utf8_width(code);
}

/* Draw one decoded character; return its columns. start: first column of the text. */
static int put_code(const struct canvas *canvas, int grid_row, int grid_col, int start,
		    uint32_t code, const char *bytes, size_t len, enum role role)
{
	int width = char_width(code);
	char ascii[2];

	if (canvas->ascii && code >= 0x80) {
		if (!width)
			return 0;
		ascii[0] = ascii[1] = ascii_from(code);
		put(canvas, grid_row, grid_col, &ascii[0], 1, 1, role);
		if (width == 2)
			put(canvas, grid_row, grid_col + 1, &ascii[1], 1, 1, role);
		return width == 2 ? 2 : 1;
	}
	if (width < 0) {
		put(canvas, grid_row, grid_col, "?", 1, 1, role);
		return 1;
	}
	if (!width) {
		if (grid_col > start)
			combine(canvas, grid_row, grid_col - 1, bytes, len);
		return 0;
	}
	put(canvas, grid_row, grid_col, bytes, len, width, role);
	return width;
}

int canvas_textn(struct canvas *canvas, int row, int col, enum role role, const char *text,
		 size_t len)
{
	int grid_row = canvas->row0 + row, start = canvas->col0 + col, at = start;
	int limit = canvas->clip.col + canvas->clip.cols;
	bool visible = grid_row >= canvas->clip.row &&
		       grid_row < canvas->clip.row + canvas->clip.rows;
	size_t i = 0;

	while (i < len) {
		unsigned char c = (unsigned char)text[i];
		uint32_t code;
		size_t n;

		if (!visible || at >= limit)
			return at - start + utf8_text_width(text + i, len - i);
		if (c >= ' ' && c < 0x7f) {
			put(canvas, grid_row, at, text + i, 1, 1, role);
			at++;
			i++;
			continue;
		}
		n = utf8_decode(text + i, len - i, &code);
		if (!n) {
			put(canvas, grid_row, at, "?", 1, 1, role);
			at++;
			i++;
			continue;
		}
		at += put_code(canvas, grid_row, at, start, code, text + i, n, role);
		i += n;
	}
	return at - start;
}

int canvas_text(struct canvas *canvas, int row, int col, enum role role, const char *text)
{
	return canvas_textn(canvas, row, col, role, text, strlen(text));
}

int canvas_textf(struct canvas *canvas, int row, int col, enum role role, const char *format, ...)
{
	struct str s = STR_INIT;
	va_list args;
	int cols;

	va_start(args, format);
	str_vaddf(&s, format, args);
	va_end(args);
	cols = canvas_textn(canvas, row, col, role, s.data, s.len);
	str_release(&s);
	return cols;
}

int canvas_char(struct canvas *canvas, int row, int col, uint32_t code, enum role role)
{
	char bytes[4];
	size_t len = utf8_encode(code, bytes);
	int at = canvas->col0 + col;

	return put_code(canvas, canvas->row0 + row, at, at, len ? code : 0, bytes, len, role);
}

void canvas_clear(struct canvas *canvas)
{
	struct rect clip = canvas->clip;

	for (int row = clip.row; row < clip.row + clip.rows; row++) {
		if (clip.cols > 0) { /* a view can cut wide characters at its edges */
			break_wide(canvas, row, clip.col);
			break_wide(canvas, row, clip.col + clip.cols - 1);
		}
		for (int col = clip.col; col < clip.col + clip.cols; col++)
			*cell_at(canvas, row, col) = blank;
	}
}

void canvas_fill(struct canvas *canvas, struct rect rect, uint32_t code, enum role role)
{
	struct canvas area = canvas_sub(canvas, rect);
	struct rect clip = area.clip;
	char bytes[4];
	size_t len = utf8_encode(code, bytes);
	int width = char_width(code) == 2 ? 2 : 1;

	for (int row = clip.row; row < clip.row + clip.rows; row++)
		for (int col = clip.col; col < clip.col + clip.cols; col += width)
			put_code(&area, row, col, col, len ? code : 0, bytes, len, role);
}

void canvas_paint(struct canvas *canvas, struct rect rect, enum role role)
{
	struct rect clip = canvas_sub(canvas, rect).clip;

	for (int row = clip.row; row < clip.row + clip.rows; row++)
		for (int col = clip.col; col < clip.col + clip.cols; col++)
			cell_at(canvas, row, col)->role = (uint8_t)role;
}

void canvas_field(struct canvas *canvas, int row, int col, int cols, enum align align,
		  enum role role, const char *text, size_t len)
{
	struct canvas field = canvas_sub(canvas, (struct rect){ row, col, 1, cols });
	int width;

	if (cols <= 0)
		return;
	width = utf8_text_width(text, len);
	if (width > cols) {
		size_t fit = utf8_fit(text, len, cols - 1);
		int used = canvas_textn(&field, 0, 0, role, text, fit);

		canvas_char(&field, 0, used, GLYPH_ELLIPSIS, role);
		return;
	}
	col = align == ALIGN_LEFT ? 0 : align == ALIGN_RIGHT ? cols - width : (cols - width) / 2;
	canvas_textn(&field, 0, col, role, text, len);
}

void canvas_hline(struct canvas *canvas, int row, int col, int cols, enum role role)
{
	canvas_fill(canvas, (struct rect){ row, col, 1, cols }, GLYPH_HLINE, role);
}

void canvas_vline(struct canvas *canvas, int row, int col, int rows, enum role role)
{
	canvas_fill(canvas, (struct rect){ row, col, rows, 1 }, GLYPH_VLINE, role);
}

void canvas_box(struct canvas *canvas, struct rect rect, enum role role)
{
	int bottom = rect.row + rect.rows - 1, right = rect.col + rect.cols - 1;

	if (rect.rows < 2 || rect.cols < 2)
		return;
	canvas_hline(canvas, rect.row, rect.col + 1, rect.cols - 2, role);
	canvas_hline(canvas, bottom, rect.col + 1, rect.cols - 2, role);
	canvas_vline(canvas, rect.row + 1, rect.col, rect.rows - 2, role);
	canvas_vline(canvas, rect.row + 1, right, rect.rows - 2, role);
	canvas_char(canvas, rect.row, rect.col, GLYPH_TOP_LEFT, role);
	canvas_char(canvas, rect.row, right, GLYPH_TOP_RIGHT, role);
	canvas_char(canvas, bottom, rect.col, GLYPH_BOTTOM_LEFT, role);
	canvas_char(canvas, bottom, right, GLYPH_BOTTOM_RIGHT, role);
}

const struct cell *canvas_cell(const struct canvas *canvas, int row, int col)
{
	row += canvas->row0;
	col += canvas->col0;
	if (!rect_contains(canvas->clip, row, col))
		return NULL;
	return cell_at(canvas, row, col);
}

void canvas_row_text(const struct canvas *canvas, int row, struct str *out)
{
	size_t keep = out->len;

	for (int col = 0; col < canvas->cols; col++) {
		const struct cell *cell = canvas_cell(canvas, row, col);

		if (!cell || !cell->width)
			continue;
		str_addn(out, cell->text, strnlen(cell->text, CELL_TEXT_BYTES));
		if (cell->text[0] != ' ' || cell->text[1])
			keep = out->len;
	}
	str_cut(out, keep);
}
