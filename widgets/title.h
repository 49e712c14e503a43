/* title - the line above a pane: " Processes ──────── by blocked ▼ ". UI thread only. */
#ifndef WIDGETS_TITLE_H
#define WIDGETS_TITLE_H

#include "widgets/canvas/canvas.h"

/*
 * right may be NULL. Where not both fit, the title is cut to half of the line at least, then
 * right is left out.
 */
void title_draw(struct canvas *canvas, int row, const char *title, const char *right, bool focused);

#endif
