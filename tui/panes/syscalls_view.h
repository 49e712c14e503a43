/*
 * syscalls_view - system calls with their totals, and the callers and waits of the selected one. UI
 * thread only.
 */
#ifndef PANES_SYSCALLS_VIEW_H
#define PANES_SYSCALLS_VIEW_H

#include "tui/view/view.h"

void syscalls_view_init(struct view *view);

#endif
