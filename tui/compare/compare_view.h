/*
 * compare_view - changes between two recordings, or between a recording and the live system. UI
 * thread only.
 */
#ifndef COMPARE_COMPARE_VIEW_H
#define COMPARE_COMPARE_VIEW_H

#include "tui/view/view.h"

void compare_view_init(struct view *view);

#endif
