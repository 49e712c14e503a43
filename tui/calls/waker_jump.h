/*
 * waker_jump - finds the call that the waker of a blocked call was in at the wakeup. UI thread
 * only.
 */
#ifndef CALLS_WAKER_JUMP_H
#define CALLS_WAKER_JUMP_H

#include "tui/session/session.h"

enum waker_found {
	WAKER_FOUND,
	WAKER_FILTERED, /* the filter drops the call *seq; a message offers Enter to show it */
	WAKER_NOWHERE,
};

/*
 * Search the history for the call, for a few milliseconds at most. Unless it is found, the message
 * line shows why: no wakeup, the call is not in the history, or the filter drops it.
 */
enum waker_found waker_find(struct session *session, const struct call *call, uint64_t *seq);

#endif
