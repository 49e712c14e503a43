/*
 * argument_detail - what is known of one argument of a call, as lines of a page: its name and
 * value, the fields of structs one per line, its type and register, and the memory behind it
 * as a hex dump. UI thread only.
 */
#ifndef CALLS_ARGUMENT_DETAIL_H
#define CALLS_ARGUMENT_DETAIL_H

#include "tui/calls/memory_reads.h"
#include "tui/session/session.h"
#include "widgets/help.h"

struct argument_detail {
	const struct session *session;
	const struct call *call;
	const struct call_bytes *bytes; /* NULL: registers only */
	bool gone; /* what was copied with the call is not kept */
	int cols; /* of the page: dumps keep to it */
	struct memory_reads seen; /* of the argument written last */
};

void argument_detail_add(struct argument_detail *detail, struct help *help, unsigned index);

#endif
