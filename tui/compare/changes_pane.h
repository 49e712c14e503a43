/*
 * changes_pane - a table of what changed between two sides: system calls, or processes by name;
 * or the parts of the row that is selected in another such table. UI thread only.
 */
#ifndef COMPARE_CHANGES_PANE_H
#define COMPARE_CHANGES_PANE_H

#include "tui/compare/comparison.h"
#include "tui/view/pane.h"

struct pane changes_pane_new(void);
/* Who makes the call that is selected there, or what calls the process makes. */
struct pane changes_pane_new_parts(struct pane leader);

/* The selected row, good until the pane is refreshed or freed; NULL: none is. */
const struct comparison_row *changes_pane_selected(struct pane pane);
/* Whether it had the focus when it was drawn last. */
bool changes_pane_has_focus(struct pane pane);

#endif
