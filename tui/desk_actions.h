/*
 * desk_actions - the actions of the whole desk, and what was typed or chosen. UI thread only.
 */
#ifndef TUI_DESK_ACTIONS_H
#define TUI_DESK_ACTIONS_H

#include "tui/desk.h"

void desk_accept_entry(struct desk *desk);
/* id of the open menu; below 0: nothing was chosen. */
void desk_accept_menu(struct desk *desk, int id);

#endif
