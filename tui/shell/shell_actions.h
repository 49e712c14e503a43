/*
 * shell_actions - the actions of the whole shell, and what was typed or chosen. UI thread only.
 */
#ifndef SHELL_SHELL_ACTIONS_H
#define SHELL_SHELL_ACTIONS_H

#include "tui/shell/shell_state.h"

void shell_act(struct shell *shell, enum action action);
/* The line in which a search is typed stays open: to the next match, or the previous one. */
void shell_search_on(struct shell *shell, enum action action);
void shell_accept_entry(struct shell *shell);
/* id of the open menu; below 0: nothing was chosen. */
void shell_accept_menu(struct shell *shell, int id);

#endif
