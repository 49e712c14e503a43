/*
 * shell_settings_menu - list of settings.
 *
 * Each setting is changed in place, themes and keymaps in lists of their own. Changes take effect
 * at once. The theme under the cursor is previewed. UI thread only.
 */
#ifndef SHELL_SHELL_SETTINGS_MENU_H
#define SHELL_SHELL_SETTINGS_MENU_H

#include "tui/shell/shell_state.h"

/* False: not the action that opens the list. */
bool shell_settings_menu_act(struct shell *shell, enum action action);
/* Act while a list of this module is open. False: not an action of these lists. */
bool shell_settings_menu_menu_act(struct shell *shell, enum action action);
/*
 * Take the selected row of a list of this module. False: the open list belongs to another module.
 */
bool shell_settings_menu_choose(struct shell *shell, int id);
/* Call after each event: requests the theme under the cursor, or the chosen theme again. */
void shell_settings_menu_look(struct shell *shell);

/* Return the name of the theme to show: the preview, else the chosen theme. */
const char *shell_settings_menu_theme(const struct shell *shell);

#endif
