/* title - the line above a pane: " Processes ──────── by blocked ▼ ". UI thread only. */
#ifndef WIDGETS_TITLE_H
#define WIDGETS_TITLE_H

#include "widgets/canvas/canvas.h"

/*
 * Draw title and right (NULL: none). If both do not fit, cut the title, but not below half of the
 * line; if that is not enough, omit right.
 */
void title_draw(struct canvas *canvas, int row, const char *title, const char *right, bool focused);

#endif
