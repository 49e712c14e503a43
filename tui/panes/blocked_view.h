/*
 * blocked_view - calls in flight, oldest first, and the stack of the selected one. UI thread only.
 */
#ifndef PANES_BLOCKED_VIEW_H
#define PANES_BLOCKED_VIEW_H

#include "tui/view/view.h"

void blocked_view_init(struct view *view);

#endif
