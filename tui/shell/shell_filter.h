/*
 * shell_filter - the filter as it is typed, taken apart, saved and taken again. UI thread only.
 */
#ifndef SHELL_SHELL_FILTER_H
#define SHELL_SHELL_FILTER_H

#include "tui/shell/shell_state.h"

/* False: no action of filters. */
bool shell_filter_act(struct shell *shell, enum action action);
/* Those about the row, or the page, that is read. */
bool shell_filter_act_on_row(struct shell *shell, enum action action);
/* The same in the lists of filter_menus.h. */
bool shell_filter_menu_act(struct shell *shell, enum action action);
/* What was chosen with the mouse or confirmed; false: of another menu. */
bool shell_filter_choose(struct shell *shell, int id);

/* Enter and Esc in the line at the bottom; false: it is not about filters. */
bool shell_filter_accept(struct shell *shell);
bool shell_filter_cancel(struct shell *shell);

/* To where the filter stack was after its step of that number. */
void shell_filter_go_back_to(struct shell *shell, size_t step);

/* At each refresh. */
void shell_filter_refresh(struct shell *shell);
/* Goes on with what takes long; false: there is nothing. */
bool shell_filter_work(struct shell *shell);

#endif
