/*
 * stacks_pane - where all calls that match the filter wait, as one call tree: by time, calls
 * or errors, from what waits outwards or from main inwards. UI thread only.
 */
#ifndef PANES_STACKS_PANE_H
#define PANES_STACKS_PANE_H

#include "tui/view/view.h"

/* A view of this pane alone. */
void stacks_view_init(struct view *view);

#endif
