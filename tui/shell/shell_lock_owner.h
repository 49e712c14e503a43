/* shell_lock_owner - goes from a lock to the calls of its owner, and back. UI thread only. */
#ifndef SHELL_SHELL_LOCK_OWNER_H
#define SHELL_SHELL_LOCK_OWNER_H

#include "tui/shell/shell_state.h"

/* False: not an action for lock owners. */
bool shell_lock_owner_act(struct shell *shell, enum action action);

#endif
