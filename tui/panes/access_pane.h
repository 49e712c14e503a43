/*
 * access_pane - what may be watched here, and what would grant more, in a view of its own.
 *
 * Trying takes longer than a key may: it is done by the session's background thread.
 * UI thread only.
 */
#ifndef PANES_ACCESS_PANE_H
#define PANES_ACCESS_PANE_H

#include "tui/view/view.h"

void access_view_init(struct view *view);

#endif
