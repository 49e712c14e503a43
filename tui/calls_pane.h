/*
 * calls_pane - the stream of calls, those in flight at its end. UI thread only.
 */
#ifndef TUI_CALLS_PANE_H
#define TUI_CALLS_PANE_H

#include "tui/pane.h"

struct pane calls_pane_new(void);

#endif
