/*
 * shell_cursor - places the cursor for a screen reader or a braille display (--accessible).
 *
 * The first of these that exists gets the cursor: the selected row of a menu, the prompt, a
 * message, the selected row, the title of the page or of the focused pane. UI thread only.
 */
#ifndef SHELL_SHELL_CURSOR_H
#define SHELL_SHELL_CURSOR_H

#include "tui/shell/shell_state.h"

/* Call after drawing. A cursor that a prompt has set (*row >= 0) stays, unless a menu is open. */
void shell_place_cursor(const struct shell *shell, const struct canvas *canvas, int *row, int *col);

#endif
