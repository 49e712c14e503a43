/*
 * desk_cursor - where the cursor stands for those who follow it with a screen reader or a
 * braille display (--accessible): in the line that is typed, else on a message, else on what is
 * selected, else on the title of the page or of the pane in use. UI thread only.
 */
#ifndef TUI_DESK_CURSOR_H
#define TUI_DESK_CURSOR_H

#include "tui/desk.h"

/* After everything was drawn. A row that is there already stays. */
void desk_place_cursor(const struct desk *desk, const struct canvas *canvas, int *row, int *col);

#endif
