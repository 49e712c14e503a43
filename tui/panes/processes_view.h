/*
 * processes_view - processes as a tree or a table, with the system calls and waits of the selected
 * one. UI thread only.
 */
#ifndef PANES_PROCESSES_VIEW_H
#define PANES_PROCESSES_VIEW_H

#include "tui/view/view.h"

void processes_view_init(struct view *view);

#endif
