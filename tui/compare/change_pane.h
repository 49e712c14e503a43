/*
 * change_pane - durations and errors of the selected row of changes: one histogram per side, next
 * to each other. UI thread only.
 */
#ifndef COMPARE_CHANGE_PANE_H
#define COMPARE_CHANGE_PANE_H

#include "tui/view/pane.h"

/* Create a pane for the row selected in `parts` while that table has the focus, else in `rows`. */
struct pane change_pane_new(struct pane rows, struct pane parts);

#endif
