/*
 * shell_actions - the actions of the whole desk, and what was typed or chosen. UI thread only.
 */
#ifndef SHELL_SHELL_ACTIONS_H
#define SHELL_SHELL_ACTIONS_H

#include "tui/shell/shell.h"

/* The line in which a search is typed stays open: to the next match, or the previous one. */
void desk_search_on(struct desk *desk, enum action action);
void desk_accept_entry(struct desk *desk);
/* What keys act on that are about a call: the one that is read, or the selected one. NULL: none. */
const struct call *desk_subject_call(const struct desk *desk);
/* id of the open menu; below 0: nothing was chosen. */
void desk_accept_menu(struct desk *desk, int id);

#endif
