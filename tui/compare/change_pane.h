/*
 * change_pane - histograms of durations on both sides, next to each other, and errors of the
 * selected row of changes. UI thread only.
 */
#ifndef COMPARE_CHANGE_PANE_H
#define COMPARE_CHANGE_PANE_H

#include "tui/view/pane.h"

/* Show the row selected in `parts` while that table has the focus, else the one in `rows`. */
struct pane change_pane_new(struct pane rows, struct pane parts);

#endif
