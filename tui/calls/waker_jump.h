/*
 * waker_jump - finds the call in which the waker of a blocked call was at the wakeup. UI thread
 * only.
 */
#ifndef CALLS_WAKER_JUMP_H
#define CALLS_WAKER_JUMP_H

#include "tui/session/session.h"

enum waker_found {
	WAKER_FOUND,
	WAKER_FILTERED, /* *seq is in the history but fails the filter; the message offers Enter */
	WAKER_NOWHERE,
};

/*
 * Search the history for the call, for a few milliseconds at most. Otherwise the message line shows
 * the reason: no wakeup, the call is not in the history, or the filter rejects it.
 */
enum waker_found waker_find(struct session *session, const struct call *call, uint64_t *seq);

#endif
