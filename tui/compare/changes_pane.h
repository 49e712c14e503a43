/*
 * changes_pane - table of changes between two sides, by system call or process name; or the parts
 * of the row selected in another such table. UI thread only.
 */
#ifndef COMPARE_CHANGES_PANE_H
#define COMPARE_CHANGES_PANE_H

#include "tui/compare/comparison.h"
#include "tui/view/pane.h"

struct pane changes_pane_new(void);
/* Create a pane with the callers of the selected system call, or the calls of the selected comm. */
struct pane changes_pane_new_parts(struct pane leader);

/* Return the selected row, valid until the pane is refreshed or freed; NULL: none. */
const struct comparison_row *changes_pane_selected(struct pane pane);
/* True if the pane had the focus when last drawn. */
bool changes_pane_has_focus(struct pane pane);

#endif
