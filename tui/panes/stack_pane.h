/*
 * stack_pane - stack of the wait of the selected call, or tree of all waits of the selected process
 * or group. UI thread only.
 */
#ifndef PANES_STACK_PANE_H
#define PANES_STACK_PANE_H

#include "tui/view/pane.h"

struct pane stack_pane_new(void);
/* Create a pane that shows the waker's stack for the selected call. */
struct pane stack_pane_new_of_waker(void);

#endif
