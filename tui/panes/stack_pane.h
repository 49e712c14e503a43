/*
 * stack_pane - where the selected call waited, or where the selected process does.
 * UI thread only.
 */
#ifndef PANES_STACK_PANE_H
#define PANES_STACK_PANE_H

#include "tui/view/pane.h"

struct pane stack_pane_new(void);
/* The stack from which the subject, one call, was woken. */
struct pane stack_pane_new_of_waker(void);

#endif
