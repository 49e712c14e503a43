/*
 * futexes_view - every futex, the waits on the one selected, and of one wait both stacks side
 * by side: who waited, and who ended that. UI thread only.
 */
#ifndef PANES_FUTEXES_VIEW_H
#define PANES_FUTEXES_VIEW_H

#include "tui/view/view.h"

void futexes_view_init(struct view *view);

/* Of the selected futex: see futexes_pane_owner(). */
uint32_t futexes_view_owner(struct view *view);

#endif
