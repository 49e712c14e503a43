/*
 * futexes_pane - the table of futexes, deadlocks above it. It shows all of them, whatever
 * the filter: who holds a lock is seldom who matches. UI thread only.
 */
#ifndef TUI_FUTEXES_PANE_H
#define TUI_FUTEXES_PANE_H

#include "tui/pane.h"

struct futexes_pane;

struct pane futexes_pane_new(void); /* its self is a struct futexes_pane */

/* The selected row, or NULL. Borrowed until the pane is refreshed. */
const struct engine_futex *futexes_pane_selected(struct futexes_pane *pane);

#endif
