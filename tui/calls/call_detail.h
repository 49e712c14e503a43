/* call_detail - all known facts about one call, as lines of a page. UI thread only. */
#ifndef CALLS_CALL_DETAIL_H
#define CALLS_CALL_DETAIL_H

#include "tui/calls/call_lock_owner.h"
#include "tui/session/session.h"
#include "widgets/help.h"

struct call_detail {
	const struct call *call;
	const char *comm; /* of the calling thread, escaped */
	const struct call_bytes *bytes; /* memory that the call points to; NULL: registers only */
	bool bytes_gone; /* the history no longer holds the bytes copied with the call */
	const char *note; /* shown below the state of the call; NULL: none */
	const struct call_held *held; /* lock owner of a call in flight; NULL: unknown */
	int cols; /* width of the page, in columns */
};

/* For a call without a stack: append that it did not sleep, or why its waits are unknown. */
void call_detail_say_unslept(const struct call *call, struct str *out);
/* Add a line such as "blocked   1.2ms". */
void call_detail_add_time(struct help *help, const char *label, uint64_t ns);
void call_detail_fill(const struct call_detail *detail, struct help *help,
		      const struct session *session);

#endif
