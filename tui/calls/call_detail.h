/*
 * call_detail - everything that is known of one call, as lines of a page. UI thread only.
 */
#ifndef CALLS_CALL_DETAIL_H
#define CALLS_CALL_DETAIL_H

#include "tui/calls/call_lock_owner.h"
#include "tui/session/session.h"
#include "widgets/help.h"

struct call_detail {
	const struct call *call;
	const char *comm; /* of its thread, escaped */
	const struct call_bytes *bytes; /* what it points to; NULL: registers only */
	bool bytes_gone; /* what was copied with it is not kept */
	const char *note; /* on the page itself, below the call's state; NULL: none */
	const struct call_held *held; /* of one in flight; NULL: not known */
	int cols; /* of the page */
};

/* Why a call has no stack that did not wait, as far as is known. */
void call_detail_say_unslept(const struct call *call, struct str *out);
/* "blocked   1.2ms" */
void call_detail_add_time(struct help *help, const char *label, uint64_t ns);
void call_detail_fill(const struct call_detail *detail, struct help *help,
		      const struct session *session);

#endif
