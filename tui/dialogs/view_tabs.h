/*
 * view_tabs - tabs of the views at the right end of the bottom line, if it is wide enough for the
 * function keys too.
 *
 * Each tab shows the key of its view; the current view shows its title as well. A click on a tab
 * shows that view. UI thread only.
 */
#ifndef DIALOGS_VIEW_TABS_H
#define DIALOGS_VIEW_TABS_H

#include "tui/config/bindings.h"
#include "tui/view/view.h"
#include "widgets/crumbs.h"

#define VIEW_TABS_MAX 16

struct view_tabs {
	char keys[VIEW_TABS_MAX][KEY_NAME_BYTES]; /* by view index; "": none */
	struct crumbs crumbs; /* as last drawn */
};

/* views: `count` of them, at most VIEW_TABS_MAX. */
void view_tabs_init(struct view_tabs *tabs, const struct bindings *bindings,
		    const struct view *views, int count);
/* Draw the tabs in the last columns. Return their first column; canvas->cols: no room. */
int view_tabs_draw(struct view_tabs *tabs, struct canvas *canvas, int row, const struct view *views,
		   int count, const struct view *shown);
/* Return the index of the view at this column; -1: none. */
int view_tabs_at(const struct view_tabs *tabs, int col);

#endif
