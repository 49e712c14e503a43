/*
 * overview - the first view: processes, calls, and the stack of what is selected.
 * UI thread only.
 */
#ifndef PANES_OVERVIEW_H
#define PANES_OVERVIEW_H

#include "tui/view/view.h"

void overview_init(struct view *view);
/* The stream of calls, which gets the focus. */
struct pane *overview_focus_calls(struct view *view);

#endif
