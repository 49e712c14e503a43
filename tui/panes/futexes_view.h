/*
 * futexes_view - all futexes, the waits on the selected one, and two stacks of the selected wait
 * side by side: the waiter's and the waker's. UI thread only.
 */
#ifndef PANES_FUTEXES_VIEW_H
#define PANES_FUTEXES_VIEW_H

#include "tui/view/view.h"

void futexes_view_init(struct view *view);

/* Return the lock owner of the selected futex, see futexes_pane_owner(). */
uint32_t futexes_view_owner(struct view *view);

#endif
