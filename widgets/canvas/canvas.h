/*
 * canvas - a grid of character cells that widgets draw on.
 *
 * A canvas is either a whole grid (canvas_init()) or a view of a rectangle in one (canvas_sub()). A
 * view is a plain value without memory of its own: copy it freely, but use it only while the grid
 * exists and keeps its size. All positions are relative to the view. Everything outside the view is
 * clipped, negative positions included, so that widgets need no bounds checks.
 *
 * Text is UTF-8. Control characters, bidi controls and invalid bytes become '?', so that a cell
 * never holds a sequence that disturbs the terminal. Escape text from traced programs first with
 * engine/base/escape.h; the canvas is the last line of defence. On an ascii canvas, box drawing,
 * blocks, arrows and similar characters become ASCII of the same width (ascii.h). One thread at a
 * time.
 */
#ifndef CANVAS_CANVAS_H
#define CANVAS_CANVAS_H

#include "engine/base/str.h"
#include "widgets/canvas/rect.h"
#include "widgets/canvas/role.h"

#include <stdbool.h>
#include <stdint.h>

#define CELL_TEXT_BYTES 12

struct cell {
	char text[CELL_TEXT_BYTES]; /* a character and its combining characters, NUL-padded */
	uint8_t width; /* 1, 2, or 0: right half of the preceding cell */
	uint8_t role; /* enum role */
	uint8_t unused[2]; /* always 0, as cells are compared with memcmp() */
};

struct canvas {
	struct cell *cells; /* of the whole grid */
	int grid_cols; /* cells per row of the whole grid */
	struct rect clip; /* drawable area, in grid positions */
	int row0, col0; /* corner of the view in grid positions; can be outside clip */
	int rows, cols; /* size of the view */
	bool ascii;
};

/* Allocate a blank grid. Sizes below 1 count as 1. */
void canvas_init(struct canvas *canvas, int rows, int cols, bool ascii);
void canvas_release(struct canvas *canvas);
/* Resize the grid and blank it; its views become invalid. */
void canvas_resize(struct canvas *canvas, int rows, int cols);

struct canvas canvas_sub(const struct canvas *canvas, struct rect rect);
static inline struct rect canvas_rect(const struct canvas *canvas)
{
	return (struct rect){ 0, 0, canvas->rows, canvas->cols };
}

void canvas_clear(struct canvas *canvas); /* blanks of ROLE_TEXT */
void canvas_fill(struct canvas *canvas, struct rect rect, uint32_t code, enum role role);
/* Change the role of cells already drawn, e.g. to highlight a row. */
void canvas_paint(struct canvas *canvas, struct rect rect, enum role role);

/* Draw one character; return its columns. */
int canvas_char(struct canvas *canvas, int row, int col, uint32_t code, enum role role);

/* Draw text starting at col, clipped to the view; return its columns, including clipped ones. */
int canvas_text(struct canvas *canvas, int row, int col, enum role role, const char *text);
int canvas_textn(struct canvas *canvas, int row, int col, enum role role, const char *text,
		 size_t len);
int canvas_textf(struct canvas *canvas, int row, int col, enum role role, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

enum align { ALIGN_LEFT, ALIGN_RIGHT, ALIGN_CENTER };

/*
 * Draw text in a field of cols columns; text that is too long ends with an ellipsis. The remaining
 * cells of the field are unchanged.
 */
void canvas_field(struct canvas *canvas, int row, int col, int cols, enum align align,
		  enum role role, const char *text, size_t len);

void canvas_hline(struct canvas *canvas, int row, int col, int cols, enum role role);
void canvas_vline(struct canvas *canvas, int row, int col, int rows, enum role role);
void canvas_box(struct canvas *canvas, struct rect rect, enum role role); /* outline only */

/* Return the cell at a position, NULL outside the view. */
const struct cell *canvas_cell(const struct canvas *canvas, int row, int col);
/* Append the text of a row to out, without trailing blanks. Used by tests and for copying. */
void canvas_row_text(const struct canvas *canvas, int row, struct str *out);

#endif
