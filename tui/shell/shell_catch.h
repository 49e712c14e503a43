/*
 * shell_catch - catches as they are typed, listed and caught. UI thread only.
 */
#ifndef SHELL_SHELL_CATCH_H
#define SHELL_SHELL_CATCH_H

#include "tui/shell/shell.h"

/* False: no action of catches. */
bool desk_catch_act(struct desk *desk, enum action action);
/* The same in their list. */
bool desk_catch_menu_act(struct desk *desk, enum action action);
bool desk_catch_choose(struct desk *desk, int id);

/* Enter and Esc in the line at the bottom; false: it is not about catches. */
bool desk_catch_accept(struct desk *desk);
bool desk_catch_cancel(struct desk *desk);

/* The engine has started. */
void desk_catch_start(struct desk *desk);
/* When the engine's descriptor says so, and at each tick. */
void desk_catch_look(struct desk *desk);

/* "STOPPED 4242  1 of 2 catches armed", for the header; appended. True: something is stopped. */
bool desk_catch_text(const struct desk *desk, struct str *out);

#endif
