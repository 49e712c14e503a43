/* calls_pane - stream of finished calls, followed by the calls in flight. UI thread only. */
#ifndef PANES_CALLS_PANE_H
#define PANES_CALLS_PANE_H

#include "tui/view/pane.h"

struct pane calls_pane_new(void);

/* Keep the newest call selected, or stop doing so. No-op if `pane` is not a calls pane. */
void calls_pane_follow(const struct pane *pane, bool on);

/* Return an id of the selected row for calls_pane_go(); 0: no selection. */
uint64_t calls_pane_place(const struct pane *pane);
void calls_pane_go(struct pane *pane, struct session *session, uint64_t place);
/* Return the id of a call in the history for calls_pane_go(). */
uint64_t calls_pane_place_of(uint64_t seq);

#endif
