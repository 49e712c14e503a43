/*
 * column_choice - the list in which the columns of a table are chosen, moved and made wider,
 * while the table behind it shows what comes of it. UI thread only.
 */
#ifndef DIALOGS_COLUMN_CHOICE_H
#define DIALOGS_COLUMN_CHOICE_H

#include "tui/dialogs/menus.h"

/* Says so where the view has no table with columns. */
void column_choice_open(struct menus *menus, struct session *session, struct pane *pane,
			const struct bindings *bindings);
/* While the list is open, which stays so. False: not an action of the list. */
bool column_choice_act(struct menus *menus, struct session *session, enum action action);
/* A row of it was chosen. */
void column_choice_switch(struct menus *menus, struct session *session, int id);

#endif
