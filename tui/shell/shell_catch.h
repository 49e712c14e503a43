/*
 * shell_catch - catches as they are typed, listed and caught. UI thread only.
 */
#ifndef SHELL_SHELL_CATCH_H
#define SHELL_SHELL_CATCH_H

#include "tui/shell/shell_state.h"

/* False: no action of catches. */
bool shell_catch_act(struct shell *shell, enum action action);
/* The same in their list. */
bool shell_catch_menu_act(struct shell *shell, enum action action);
bool shell_catch_choose(struct shell *shell, int id);

/* Enter and Esc in the line at the bottom; false: it is not about catches. */
bool shell_catch_accept(struct shell *shell);
bool shell_catch_cancel(struct shell *shell);

/* The engine has started. */
void shell_catch_start(struct shell *shell);
/* When the engine's descriptor says so, and at each tick. */
void shell_catch_look(struct shell *shell);

/* "STOPPED 4242  1 of 2 catches armed", for the header; appended. True: something is stopped. */
bool shell_catch_text(const struct shell *shell, struct str *out);

#endif
