/*
 * shell_filter - the filter as it is typed, taken apart, saved and taken again. UI thread only.
 */
#ifndef SHELL_SHELL_FILTER_H
#define SHELL_SHELL_FILTER_H

#include "tui/shell/shell.h"

/* False: no action of filters. */
bool desk_filter_act(struct desk *desk, enum action action);
/* Those about the row, or the page, that is read. */
bool desk_filter_act_on_row(struct desk *desk, enum action action);
/* The same in the lists of filter_menus.h. */
bool desk_filter_menu_act(struct desk *desk, enum action action);
/* What was chosen with the mouse or confirmed; false: of another menu. */
bool desk_filter_choose(struct desk *desk, int id);

/* Enter and Esc in the line at the bottom; false: it is not about filters. */
bool desk_filter_accept(struct desk *desk);
bool desk_filter_cancel(struct desk *desk);

/* To where the narrowing was after its step of that number. */
void desk_filter_go_back_to(struct desk *desk, size_t step);

/* At each refresh. */
void desk_filter_refresh(struct desk *desk);
/* Goes on with what takes long; false: there is nothing. */
bool desk_filter_work(struct desk *desk);

#endif
