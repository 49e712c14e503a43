/*
 * blocked_pane - the calls in flight as a table. Rows are the session's and stand still
 * while it is paused. UI thread only.
 */
#ifndef TUI_BLOCKED_PANE_H
#define TUI_BLOCKED_PANE_H

#include "tui/pane.h"

struct pane blocked_pane_new(void);

#endif
