/*
 * syscalls_pane - each system call with its sums and percentiles, and which processes make one
 * of them. Of all that matches the filter. UI thread only.
 */
#ifndef TUI_SYSCALLS_PANE_H
#define TUI_SYSCALLS_PANE_H

#include "tui/pane.h"

struct pane syscalls_pane_new(void);
/* The processes that make the call selected in the other pane, which is borrowed. */
struct pane syscalls_pane_new_users(struct pane syscalls);

#endif
