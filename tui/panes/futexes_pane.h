/*
 * futexes_pane - the table of futexes that calls which match were on, deadlocks above it,
 * whatever the filter. UI thread only.
 */
#ifndef PANES_FUTEXES_PANE_H
#define PANES_FUTEXES_PANE_H

#include "tui/view/pane.h"

struct futexes_pane;

struct pane futexes_pane_new(void); /* its self is a struct futexes_pane */

/* The selected row, or NULL. Borrowed until the pane is refreshed. */
const struct engine_futex *futexes_pane_selected(struct futexes_pane *pane);

/* Who holds the lock of that row, as far as that is known by now: a thread; 0: not known. */
uint32_t futexes_pane_owner(struct futexes_pane *pane);

#endif
