/*
 * shell_targets - the list of who is watched, and the line in which more are typed: what keys and
 * choices there do. UI thread only.
 */
#ifndef SHELL_SHELL_TARGETS_H
#define SHELL_SHELL_TARGETS_H

#include "tui/shell/shell_state.h"

/* False: not such an action. */
bool shell_targets_act(struct shell *shell, enum action action);
/* The id of an item of MENU_TARGETS was chosen. */
void shell_targets_choose(struct shell *shell, int id);
/* The line was accepted; false: it is not theirs. */
bool shell_targets_accept(struct shell *shell);

#endif
