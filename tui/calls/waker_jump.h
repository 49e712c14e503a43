/*
 * waker_jump - the call in which a blocked call's waker was when it woke it. UI thread only.
 */
#ifndef CALLS_WAKER_JUMP_H
#define CALLS_WAKER_JUMP_H

#include "tui/session/session.h"

enum waker_found {
	WAKER_FOUND,
	WAKER_FILTERED, /* *seq is kept, but does not match the filter; Enter is offered */
	WAKER_NOWHERE,
};

/*
 * Looks for it in the history, for some milliseconds at most. Without WAKER_FOUND the message line
 * says why: nothing woke it, or the call is not kept, or it is filtered out.
 */
enum waker_found waker_find(struct session *session, const struct call *call, uint64_t *seq);

#endif
