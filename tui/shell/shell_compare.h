/* shell_compare - actions that compare with another recording. UI thread only. */
#ifndef SHELL_SHELL_COMPARE_H
#define SHELL_SHELL_COMPARE_H

#include "tui/shell/shell_state.h"

/* False: not an action, or a prompt, of this module. */
bool shell_compare_act(struct shell *shell, enum action action);
bool shell_compare_accept(struct shell *shell);
/* Call at each tick. */
void shell_compare_look(struct shell *shell);

#endif
