/*
 * shell_settings - applies and collects the settings that the shell uses. They include those that
 * change outside the list of settings: columns, sort orders, shares of panes.
 *
 * Shares are stored as "panes.VIEW": one number for each part of the view, its wide layout first.
 * UI thread only.
 */
#ifndef SHELL_SHELL_SETTINGS_H
#define SHELL_SHELL_SETTINGS_H

#include "tui/shell/shell_state.h"

/* Apply the settings to the shell; show a message about errors in them. */
void shell_settings_take(struct shell *shell, struct settings *all);
void shell_settings_release(struct shell_settings *settings);

/*
 * Change and apply a setting. Requests REQUEST_APPLY_SETTINGS, as only the caller can change the
 * screen. -errno: invalid value.
 */
int shell_settings_choose(struct shell *shell, enum setting setting, const char *value,
			  struct err *err);
/* Store all changes since shell_settings_take() in the settings. */
void shell_settings_collect(struct shell *shell);

#endif
