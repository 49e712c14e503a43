/*
 * syscalls_view - system calls with their sums, who makes the chosen one, and where it waits.
 * UI thread only.
 */
#ifndef PANES_SYSCALLS_VIEW_H
#define PANES_SYSCALLS_VIEW_H

#include "tui/view/view.h"

void syscalls_view_init(struct view *view);

#endif
