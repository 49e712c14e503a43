/*
 * view_tabs - the views at the right end of the bottom line, where it is wide enough for the
 * function keys too: the key of each, the one that is shown by its name as well. A click shows
 * another. UI thread only.
 */
#ifndef DIALOGS_VIEW_TABS_H
#define DIALOGS_VIEW_TABS_H

#include "tui/config/bindings.h"
#include "tui/view/view.h"
#include "widgets/crumbs.h"

#define VIEW_TABS_MAX 16

struct view_tabs {
	char keys[VIEW_TABS_MAX][KEY_NAME_BYTES]; /* by the caller's number of the view; "": none */
	struct crumbs crumbs; /* as drawn last */
};

/* views: count of them, at most VIEW_TABS_MAX. */
void view_tabs_init(struct view_tabs *tabs, const struct bindings *bindings,
		    const struct view *views, int count);
/* In the last columns. Returns the first of them, or canvas->cols where there is no room. */
int view_tabs_draw(struct view_tabs *tabs, struct canvas *canvas, int row, const struct view *views,
		   int count, const struct view *shown);
/* The number of the view there, -1: none. */
int view_tabs_at(const struct view_tabs *tabs, int col);

#endif
