/*
 * stacks_pane - wait stacks of all matching calls as one call tree, weighted by time, calls or
 * errors; from the waiting function outwards or from main inwards. UI thread only.
 */
#ifndef PANES_STACKS_PANE_H
#define PANES_STACKS_PANE_H

#include "tui/view/view.h"

/* Create a view that consists of this pane. */
void stacks_view_init(struct view *view);

#endif
