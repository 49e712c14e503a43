/*
 * calls_pane - the stream of calls, those in flight at its end. UI thread only.
 */
#ifndef PANES_CALLS_PANE_H
#define PANES_CALLS_PANE_H

#include "tui/view/pane.h"

struct pane calls_pane_new(void);

/* Whether the newest call is the chosen one from now on. Any other pane is left alone. */
void calls_pane_follow(const struct pane *pane, bool on);

/* The selected row as a number to select it by again; 0: none. */
uint64_t calls_pane_place(const struct pane *pane);
void calls_pane_go(struct pane *pane, struct session *session, uint64_t place);
/* The place of a call of the history. */
uint64_t calls_pane_place_of(uint64_t seq);

#endif
