/*
 * processes_pane - the table of sums: processes, or threads, or system calls.
 * UI thread only.
 */
#ifndef TUI_PROCESSES_PANE_H
#define TUI_PROCESSES_PANE_H

#include "tui/pane.h"

struct pane processes_pane_new(void);

#endif
