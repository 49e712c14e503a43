/*
 * calls_view - stream of calls over the full width, and the stack of the selected one. UI thread
 * only.
 */
#ifndef PANES_CALLS_VIEW_H
#define PANES_CALLS_VIEW_H

#include "tui/view/view.h"

void calls_view_init(struct view *view);

#endif
