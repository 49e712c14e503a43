/*
 * filter_menus - menus of filters: terms of the current filter, terms of a row, and saved filters.
 * UI thread only.
 */
#ifndef DIALOGS_FILTER_MENUS_H
#define DIALOGS_FILTER_MENUS_H

#include "tui/dialogs/menus.h"

/* Open with the term `index` selected; index == number of terms: the row that adds a term. */
void menus_open_terms(struct menus *menus, const struct session *session,
		      const struct bindings *bindings, size_t index);
/*
 * Open the menu, or show why there is no saved filter. Report an error in the file, and list its
 * readable part.
 */
void menus_open_saved(struct menus *menus, struct session *session,
		      const struct bindings *bindings);
/* Read the file into menus->saved. False: it is unreadable or malformed, and the error is shown. */
bool menus_read_saved(struct menus *menus, struct session *session);
/* Open the menu of the terms in menus->row (at least one). excludes: those that exclude calls. */
void menus_open_row(struct menus *menus, bool excludes);
/* Ask the user to confirm the removal of the saved filter menus->chosen. */
void menus_open_forget(struct menus *menus, size_t chosen);

#endif
