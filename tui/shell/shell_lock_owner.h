/*
 * shell_lock_owner - from a lock to what its owner is doing now: the calls of that thread alone,
 * and back. UI thread only.
 */
#ifndef SHELL_SHELL_LOCK_OWNER_H
#define SHELL_SHELL_LOCK_OWNER_H

#include "tui/config/actions.h"
#include "tui/view/view.h"

struct shell;

struct shell_lock_owner {
	struct view *from; /* where the key was pressed; NULL: nowhere to go back to */
	uint64_t filter_version; /* of the owner's filter: another one is not left by "back" */
};

/* False: the action is not about owners. */
bool shell_lock_owner_act(struct shell *shell, enum action action);

#endif
