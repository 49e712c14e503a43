/* shell_targets - list of watched targets, and the prompt that adds more. UI thread only. */
#ifndef SHELL_SHELL_TARGETS_H
#define SHELL_SHELL_TARGETS_H

#include "tui/shell/shell_state.h"

/* False: not an action for targets. */
bool shell_targets_act(struct shell *shell, enum action action);
/* Take an item of MENU_TARGETS by id. */
void shell_targets_choose(struct shell *shell, int id);
/* Accept the prompt; false: the prompt is not for targets. */
bool shell_targets_accept(struct shell *shell);

#endif
