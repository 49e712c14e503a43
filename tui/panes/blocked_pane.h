/*
 * blocked_pane - table of the calls in flight. Rows belong to the session and do not change while
 * it is paused. UI thread only.
 */
#ifndef PANES_BLOCKED_PANE_H
#define PANES_BLOCKED_PANE_H

#include "tui/view/pane.h"

struct pane blocked_pane_new(void);

#endif
