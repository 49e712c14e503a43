/*
 * compare_view - what changed between two recordings, or between one and what happens now.
 * UI thread only.
 */
#ifndef COMPARE_COMPARE_VIEW_H
#define COMPARE_COMPARE_VIEW_H

#include "tui/view/view.h"

void compare_view_init(struct view *view);

#endif
