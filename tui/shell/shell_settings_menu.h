/*
 * shell_settings_menu - the list of settings: each is changed in its place, colours and keys in
 * lists of their own, and all of it takes effect at once. A theme is seen while the cursor is on
 * it. UI thread only.
 */
#ifndef SHELL_SHELL_SETTINGS_MENU_H
#define SHELL_SHELL_SETTINGS_MENU_H

#include "tui/shell/shell_state.h"

/* False: not the action that opens the list. */
bool shell_settings_menu_act(struct shell *shell, enum action action);
/* While one of its lists is open. False: not an action of them. */
bool shell_settings_menu_menu_act(struct shell *shell, enum action action);
/* A row of one of its lists was chosen. False: the list that is open is another one. */
bool shell_settings_menu_choose(struct shell *shell, int id);
/* After whatever happened: asks for the theme that the cursor is on, or the chosen one again. */
void shell_settings_menu_look(struct shell *shell);

/* The theme that is to be seen now. */
const char *shell_settings_menu_theme(const struct shell *shell);

#endif
