/* wrap - text cut into lines at its blanks. Any thread. */
#ifndef CANVAS_WRAP_H
#define CANVAS_WRAP_H

#include "widgets/canvas/canvas.h"

#include <stddef.h>

/*
 * The bytes of text that make one line of cols columns; *next is where the next line begins, the
 * end of text after the last one. A word that is longer than a line is cut.
 */
size_t wrap_line(const char *text, int cols, const char **next);

/* Draws it from a row on, within the canvas; returns its rows. */
int wrap_draw(struct canvas *canvas, int row, int col, int cols, enum role role, const char *text);

#endif
