/*
 * column_choice - menu that shows, hides, moves and resizes the columns of a table. The table
 * behind the menu shows each change at once. UI thread only.
 */
#ifndef DIALOGS_COLUMN_CHOICE_H
#define DIALOGS_COLUMN_CHOICE_H

#include "tui/dialogs/menus.h"

/* Open the menu. Shows a warning if the pane has no table with columns. */
void column_choice_open(struct menus *menus, struct session *session, struct pane *pane,
			const struct bindings *bindings);
/*
 * Handle an action while the menu is open; the menu stays open. False: not an action of this menu.
 */
bool column_choice_act(struct menus *menus, struct session *session, enum action action);
/* Show or hide the column `id`, the chosen row of the menu. The last visible column stays. */
void column_choice_switch(struct menus *menus, struct session *session, int id);

#endif
