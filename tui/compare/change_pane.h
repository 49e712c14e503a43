/*
 * change_pane - the selected row of changes: how long its calls took on either side, in the same
 * steps beside each other, and what errors they failed with. UI thread only.
 */
#ifndef COMPARE_CHANGE_PANE_H
#define COMPARE_CHANGE_PANE_H

#include "tui/view/pane.h"

/* Of what is selected in the table of parts while that has the focus, else in the other one. */
struct pane change_pane_new(struct pane rows, struct pane parts);

#endif
