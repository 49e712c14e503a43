/*
 * change_pane - durations of the selected row of changes on both sides, in equal steps next to each
 * other, and its errors. UI thread only.
 */
#ifndef COMPARE_CHANGE_PANE_H
#define COMPARE_CHANGE_PANE_H

#include "tui/view/pane.h"

/* Shows the row selected in `parts` while that table has the focus, else the one in `rows`. */
struct pane change_pane_new(struct pane rows, struct pane parts);

#endif
