/*
 * futex_waits_pane - waits on the futex that is selected in another pane: waits in flight, then
 * those of the history, newest first. UI thread only.
 */
#ifndef PANES_FUTEX_WAITS_PANE_H
#define PANES_FUTEX_WAITS_PANE_H

#include "tui/panes/futexes_pane.h"

/* `futexes` must outlive the pane. */
struct pane futex_waits_pane_new(struct futexes_pane *futexes);

#endif
