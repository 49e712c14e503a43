/* shell_actions - actions of the whole shell, and accepted prompts and menus. UI thread only. */
#ifndef SHELL_SHELL_ACTIONS_H
#define SHELL_SHELL_ACTIONS_H

#include "tui/shell/shell_state.h"

void shell_act(struct shell *shell, enum action action);
/* Go to the next or the previous match of a search that is being typed; the prompt stays open. */
void shell_search_on(struct shell *shell, enum action action);
void shell_accept_entry(struct shell *shell);
/* Accept the item `id` of the open menu; below 0: no item. */
void shell_accept_menu(struct shell *shell, int id);

#endif
