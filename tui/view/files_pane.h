/* files_pane - table of files, sockets and pipes with the sums of file_totals. UI thread only. */
#ifndef VIEW_FILES_PANE_H
#define VIEW_FILES_PANE_H

#include "tui/view/view.h"

/* Create a view that consists of this pane. */
void files_view_init(struct view *view);

#endif
