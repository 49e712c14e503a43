/*
 * canvas_rows - compares what is on a canvas with the rows that a test wrote down.
 * For the unit tests of widgets.
 */
#ifndef UNIT_CANVAS_ROWS_H
#define UNIT_CANVAS_ROWS_H

#include "widgets/canvas/canvas.h"

/* Fails, showing both, unless the rows (without trailing blanks) are those of expected. */
void canvas_rows_check(const struct canvas *canvas, const char *expected, const char *file,
		       int line);
#define assert_rows(canvas, expected) canvas_rows_check(canvas, expected, __FILE__, __LINE__)

/* Roles of a row: the first letter of each cell's role name; for a few cells at a time. */
void canvas_rows_check_roles(const struct canvas *canvas, int row, const char *expected,
			     const char *file, int line);
#define assert_roles(canvas, row, expected) \
	canvas_rows_check_roles(canvas, row, expected, __FILE__, __LINE__)

#endif
