/*
 * empty_reason - why a pane has no rows, and what would help: one table of reasons for all of them.
 *
 * The first that holds is told, with the keys that are bound to what helps. UI thread only.
 */
#ifndef SESSION_EMPTY_REASON_H
#define SESSION_EMPTY_REASON_H

#include "tui/session/session.h"

enum empty_pane {
	EMPTY_TOTALS, /* of processes, threads or system calls */
	EMPTY_CALLS, /* of the history */
	EMPTY_IN_FLIGHT, /* calls that go on */
	EMPTY_FILES,
	EMPTY_FUTEXES,
	EMPTY_STACKS, /* of waits */
	EMPTY_LATENCY,
	EMPTY_PANE_COUNT
};

/* Appended; a sentence without its end. */
void empty_reason_say(const struct session *session, enum empty_pane pane, struct str *out);
/* The same where stacks cannot be there at all; false: they can. */
bool empty_reason_say_no_stacks(const struct session *session, struct str *out);

/* Of a stack that has frames, only one half of which is shown. */
void empty_reason_say_half(const struct session *session, struct str *out);

#endif
