/*
 * blocked_view - who is in a system call now, by how long already, and the stack of the
 * one selected. UI thread only.
 */
#ifndef PANES_BLOCKED_VIEW_H
#define PANES_BLOCKED_VIEW_H

#include "tui/view/view.h"

void blocked_view_init(struct view *view);

#endif
