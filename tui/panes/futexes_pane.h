/*
 * futexes_pane - table of the futexes of matching calls, and above it the deadlocks, whatever
 * the filter. UI thread only.
 */
#ifndef PANES_FUTEXES_PANE_H
#define PANES_FUTEXES_PANE_H

#include "tui/view/pane.h"

struct futexes_pane;

struct pane futexes_pane_new(void); /* its self is a struct futexes_pane */

/* Return the selected row, or NULL. Borrowed until the next refresh of the pane. */
const struct engine_futex *futexes_pane_selected(struct futexes_pane *pane);

/* Return the tid of the lock owner of the selected row, as last read; 0: unknown. */
uint32_t futexes_pane_owner(struct futexes_pane *pane);

#endif
