/*
 * canvas_rows - compares a canvas with the rows that a widget test expects.
 */
#ifndef UNIT_CANVAS_ROWS_H
#define UNIT_CANVAS_ROWS_H

#include "widgets/canvas/canvas.h"

/* Fail unless the rows, without trailing blanks, equal `expected`. A failure prints both. */
void canvas_rows_check(const struct canvas *canvas, const char *expected, const char *file,
		       int line);
#define assert_rows(canvas, expected) canvas_rows_check(canvas, expected, __FILE__, __LINE__)

/* Fail unless `expected` has the first letter of each cell's role name. Use narrow canvases. */
void canvas_rows_check_roles(const struct canvas *canvas, int row, const char *expected,
			     const char *file, int line);
#define assert_roles(canvas, row, expected) \
	canvas_rows_check_roles(canvas, row, expected, __FILE__, __LINE__)

#endif
