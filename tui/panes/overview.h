/*
 * overview - the first view: processes, calls, and the stack of the selected row. UI thread only.
 */
#ifndef PANES_OVERVIEW_H
#define PANES_OVERVIEW_H

#include "tui/view/view.h"

void overview_init(struct view *view);
/* Focus the stream of calls and return its pane. */
struct pane *overview_focus_calls(struct view *view);

#endif
