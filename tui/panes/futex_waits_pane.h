/*
 * futex_waits_pane - the waits on the futex that is selected in another pane: those that go
 * on, then those of the history, newest first. UI thread only.
 */
#ifndef PANES_FUTEX_WAITS_PANE_H
#define PANES_FUTEX_WAITS_PANE_H

#include "tui/panes/futexes_pane.h"

/* futexes must live as long. */
struct pane futex_waits_pane_new(struct futexes_pane *futexes);

#endif
