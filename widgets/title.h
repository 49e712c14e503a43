/* title - the line above a pane: " Processes ──────── by blocked ▼ ". UI thread only. */
#ifndef WIDGETS_TITLE_H
#define WIDGETS_TITLE_H

#include "widgets/canvas.h"

/* right may be NULL; it gives way first, then title is cut. */
void title_draw(struct canvas *canvas, int row, const char *title, const char *right,
		bool focused);

#endif
