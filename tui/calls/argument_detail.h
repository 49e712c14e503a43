/*
 * argument_detail - page lines for one argument of a call.
 *
 * The lines show its name, value, type and register. A struct has one line per field. A hex dump
 * shows the memory that the argument points to. UI thread only.
 */
#ifndef CALLS_ARGUMENT_DETAIL_H
#define CALLS_ARGUMENT_DETAIL_H

#include "tui/calls/memory_reads.h"
#include "tui/session/session.h"
#include "widgets/help.h"

struct argument_detail {
	const struct session *session;
	const struct call *call;
	const struct call_bytes *bytes; /* memory that the call points to; NULL: registers only */
	bool gone; /* the history no longer holds the bytes copied with the call */
	int cols; /* width of the page, in columns; bounds the hex dump */
	struct memory_reads seen; /* memory read for the argument written last */
};

void argument_detail_add(struct argument_detail *detail, struct help *help, unsigned index);

#endif
