/*
 * canvas - a grid of character cells that widgets draw on.
 *
 * A canvas is either a whole grid (canvas_init) or a view of a rectangle in one (canvas_sub).
 * A view is a plain value without memory of its own: copy it freely, use it no longer than
 * the grid lives or keeps its size. All positions are relative to the view; whatever lies outside
 * it is clipped, negative positions included, so widgets need no bounds checks.
 *
 * Text is UTF-8. Nothing that could disturb a terminal gets into a cell: control characters,
 * bidi controls and bytes that are no character become '?'. (Escape foreign text first
 * with engine/base/escape.h; this is the last line of defence.) On an ascii canvas, box
 * drawing, blocks, arrows and the like become ASCII of the same width (ascii.h).
 * One thread at a time.
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
	char text[CELL_TEXT_BYTES]; /* one character and what combines with it, then NULs */
	uint8_t width; /* 1, 2, or 0: the right half of the cell before */
	uint8_t role; /* enum role */
	uint8_t unused[2]; /* 0: cells are compared as bytes */
};

struct canvas {
	struct cell *cells; /* of the whole grid */
	int grid_cols; /* cells per row of the whole grid */
	struct rect clip; /* what may be drawn, in grid positions */
	int row0, col0; /* the view's corner in grid positions; may lie outside clip */
	int rows, cols; /* size of the view */
	bool ascii;
};

/* A blank grid of its own. Sizes below 1 are taken as 1. */
void canvas_init(struct canvas *canvas, int rows, int cols, bool ascii);
void canvas_release(struct canvas *canvas);
/* Blank again at a new size; views of it become invalid. */
void canvas_resize(struct canvas *canvas, int rows, int cols);

struct canvas canvas_sub(const struct canvas *canvas, struct rect rect);
static inline struct rect canvas_rect(const struct canvas *canvas)
{
	return (struct rect){ 0, 0, canvas->rows, canvas->cols };
}

void canvas_clear(struct canvas *canvas); /* blanks of ROLE_TEXT */
void canvas_fill(struct canvas *canvas, struct rect rect, uint32_t code, enum role role);
/* Changes the role of what is drawn already: how rows are highlighted. */
void canvas_paint(struct canvas *canvas, struct rect rect, enum role role);

/* One character; returns its columns. */
int canvas_char(struct canvas *canvas, int row, int col, uint32_t code, enum role role);

/* Text from col on, as far as it fits; returns the columns it takes, clipped or not. */
int canvas_text(struct canvas *canvas, int row, int col, enum role role, const char *text);
int canvas_textn(struct canvas *canvas, int row, int col, enum role role, const char *text,
		 size_t len);
int canvas_textf(struct canvas *canvas, int row, int col, enum role role, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

enum align { ALIGN_LEFT, ALIGN_RIGHT, ALIGN_CENTER };

/*
 * Text in a field of cols columns, cut with an ellipsis at its end where it is too long.
 * The rest of the field is left as it was.
 */
void canvas_field(struct canvas *canvas, int row, int col, int cols, enum align align,
		  enum role role, const char *text, size_t len);

void canvas_hline(struct canvas *canvas, int row, int col, int cols, enum role role);
void canvas_vline(struct canvas *canvas, int row, int col, int rows, enum role role);
void canvas_box(struct canvas *canvas, struct rect rect, enum role role); /* its outline */

/* The cell at a position, NULL outside the view. */
const struct cell *canvas_cell(const struct canvas *canvas, int row, int col);
/* A row as text without trailing blanks, appended to out: for tests and copying. */
void canvas_row_text(const struct canvas *canvas, int row, struct str *out);

#endif
