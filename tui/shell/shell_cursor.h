/*
 * shell_cursor - where the cursor stands for those who follow it with a screen reader or a
 * braille display (--accessible): in the line that is typed, else on a message, else on what is
 * selected, else on the title of the page or of the pane in use. UI thread only.
 */
#ifndef SHELL_SHELL_CURSOR_H
#define SHELL_SHELL_CURSOR_H

#include "tui/shell/shell_state.h"

/* After everything was drawn. A row that is there already stays. */
void shell_place_cursor(const struct shell *shell, const struct canvas *canvas, int *row, int *col);

#endif
