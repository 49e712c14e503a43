/*
 * filter_menus - the lists about filters: the terms of the one in force, and those that were
 * saved. UI thread only.
 */
#ifndef DIALOGS_FILTER_MENUS_H
#define DIALOGS_FILTER_MENUS_H

#include "tui/dialogs/menus.h"

/* With the cursor on that term; index == number of terms: on the line for another one. */
void menus_open_terms(struct menus *menus, const struct session *session,
		      const struct bindings *bindings, size_t index);
/* Says why not where there is none; a broken file is said and read as far as it can be. */
void menus_open_saved(struct menus *menus, struct session *session,
		      const struct bindings *bindings);
/* Reads the file into menus->saved; false: it cannot be, or is broken, and that was said. */
bool menus_read_saved(struct menus *menus, struct session *session);
/* The terms in menus->row, of which there are some; those with `excludes` leave calls out. */
void menus_open_row(struct menus *menus, bool excludes);
/* Is it meant that the saved filter menus->chosen is removed? */
void menus_open_forget(struct menus *menus, size_t chosen);

#endif
