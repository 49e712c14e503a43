/*
 * waker_jump - the call in which a blocked call's waker was when it woke it. UI thread only.
 */
#ifndef TUI_WAKER_JUMP_H
#define TUI_WAKER_JUMP_H

#include "tui/session.h"

/*
 * Looks for it in the history, for some milliseconds at most. False: there is none to show,
 * and why is said in the message line.
 */
bool waker_find(struct session *session, const struct call *call, uint64_t *seq);

#endif
