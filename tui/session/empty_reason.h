/*
 * empty_reason - explains why a pane has no rows and what would help.
 *
 * All panes share one table of reasons. The first reason that applies is shown, with the keys bound
 * to the remedy. UI thread only.
 */
#ifndef SESSION_EMPTY_REASON_H
#define SESSION_EMPTY_REASON_H

#include "tui/session/session.h"

enum empty_pane {
	EMPTY_TOTALS, /* totals of processes, threads or syscalls */
	EMPTY_CALLS, /* calls in the history */
	EMPTY_IN_FLIGHT, /* calls in flight */
	EMPTY_FILES,
	EMPTY_FUTEXES,
	EMPTY_STACKS, /* stacks of waits */
	EMPTY_LATENCY,
	EMPTY_PANE_COUNT
};

/* Append the reason, without a full stop. */
void empty_reason_say(const struct session *session, enum empty_pane pane, struct str *out);
/* Append the reason if the session cannot have stacks at all; false: it can. */
bool empty_reason_say_no_stacks(const struct session *session, struct str *out);

/* For a stack whose frames are all in the hidden half: append the reason. */
void empty_reason_say_half(const struct session *session, struct str *out);

#endif
