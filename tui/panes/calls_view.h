/* calls_view - the stream of calls over the whole width, with the stack of one. UI thread only. */
#ifndef PANES_CALLS_VIEW_H
#define PANES_CALLS_VIEW_H

#include "tui/view/view.h"

void calls_view_init(struct view *view);

#endif
