/* wrap - breaks text into lines at blanks. Any thread. */
#ifndef CANVAS_WRAP_H
#define CANVAS_WRAP_H

#include "widgets/canvas/canvas.h"

#include <stddef.h>

/*
 * Return the length in bytes of the first line of at most cols columns. *next is the start of the
 * next line, or the end of text after the last line. A word longer than a line is cut.
 */
size_t wrap_line(const char *text, int cols, const char **next);

/* Draw wrapped text starting at `row`, clipped to the canvas; return its number of rows. */
int wrap_draw(struct canvas *canvas, int row, int col, int cols, enum role role, const char *text);

#endif
