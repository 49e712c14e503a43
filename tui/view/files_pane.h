/*
 * files_pane - files, sockets and pipes with what calls did with them: a table of file_totals.
 * UI thread only.
 */
#ifndef VIEW_FILES_PANE_H
#define VIEW_FILES_PANE_H

#include "tui/view/view.h"

/* A view of this pane alone. */
void files_view_init(struct view *view);

#endif
