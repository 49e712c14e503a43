/* calls_view - the stream of calls over the whole width, with the stack of one. UI thread only. */
#ifndef TUI_CALLS_VIEW_H
#define TUI_CALLS_VIEW_H

#include "tui/view.h"

void calls_view_init(struct view *view);

#endif
