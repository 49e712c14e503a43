/*
 * access_pane - view of the access check: what may be traced here, and what would grant more.
 *
 * The check is too slow for the UI thread and runs on the background thread of the session. UI
 * thread only.
 */
#ifndef PANES_ACCESS_PANE_H
#define PANES_ACCESS_PANE_H

#include "tui/view/view.h"

void access_view_init(struct view *view);

#endif
