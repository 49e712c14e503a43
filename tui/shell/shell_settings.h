/*
 * shell_settings - what of the shell is kept from one run to the next: the settings that it looks
 * at, and what is changed without a list of settings: columns, orders, shares of panes.
 *
 * Shares are "panes.VIEW", a number for each part of the view, first of all of its wide layout.
 * UI thread only.
 */
#ifndef SHELL_SHELL_SETTINGS_H
#define SHELL_SHELL_SETTINGS_H

#include "tui/shell/shell_state.h"

/* Makes the shell what the settings say; tells what is wrong with them. */
void shell_settings_take(struct shell *shell, struct settings *all);
void shell_settings_release(struct shell_settings *settings);

/*
 * A setting was chosen: makes it so, and asks the caller to do what only the screen can do.
 * -errno: it cannot be that.
 */
int shell_settings_choose(struct shell *shell, enum setting setting, const char *value,
			  struct err *err);
/* Puts into the settings what was changed since shell_settings_take(). */
void shell_settings_collect(struct shell *shell);

#endif
