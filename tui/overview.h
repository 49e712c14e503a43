/*
 * overview - the first view: processes, calls, and the stack of what is selected.
 * UI thread only.
 */
#ifndef TUI_OVERVIEW_H
#define TUI_OVERVIEW_H

#include "tui/view.h"

void overview_init(struct view *view);
/* The stream of calls, which gets the focus. */
struct pane *overview_focus_calls(struct view *view);

#endif
