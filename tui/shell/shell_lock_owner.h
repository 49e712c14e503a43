/*
 * shell_lock_owner - from a lock to what its owner is doing now: the calls of that thread alone,
 * and back. UI thread only.
 */
#ifndef SHELL_SHELL_LOCK_OWNER_H
#define SHELL_SHELL_LOCK_OWNER_H

#include "tui/shell/shell_state.h"

/* False: the action is not about owners. */
bool shell_lock_owner_act(struct shell *shell, enum action action);

#endif
