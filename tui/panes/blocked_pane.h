/*
 * blocked_pane - the calls in flight as a table. Rows are the session's and stand still
 * while it is paused. UI thread only.
 */
#ifndef PANES_BLOCKED_PANE_H
#define PANES_BLOCKED_PANE_H

#include "tui/view/pane.h"

struct pane blocked_pane_new(void);

#endif
