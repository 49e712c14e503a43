/* shell_catch - prompt, list and hits of catches. UI thread only. */
#ifndef SHELL_SHELL_CATCH_H
#define SHELL_SHELL_CATCH_H

#include "tui/shell/shell_state.h"

/* False: not an action for catches. */
bool shell_catch_act(struct shell *shell, enum action action);
/* Act while the list of catches is open. False: not an action of that list. */
bool shell_catch_menu_act(struct shell *shell, enum action action);
bool shell_catch_choose(struct shell *shell, int id);

/* Handle Enter and Esc in the prompt; false: the prompt is not for a catch. */
bool shell_catch_accept(struct shell *shell);
bool shell_catch_cancel(struct shell *shell);

/* Call after the engine has started. */
void shell_catch_start(struct shell *shell);
/* Process caught calls; call when engine_catch_fd() is readable, and at each tick. */
void shell_catch_look(struct shell *shell);

/* Append text for the header, "STOPPED 4242  1 of 2 catches armed". True: a process is stopped. */
bool shell_catch_text(const struct shell *shell, struct str *out);

#endif
