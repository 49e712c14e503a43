/*
 * call_fields - a row of the history as a line of CSV; see fields.h.
 *
 * Every row has all columns, whether it is a call, a loss or an event of another tracepoint. The
 * column "call" has the call in strace's notation, or the text of the event. Any thread.
 */
#ifndef EXPORT_CALL_FIELDS_H
#define EXPORT_CALL_FIELDS_H

#include "engine/decode/call_text.h"

/* Data that is not in struct call. */
struct call_fields {
	const char *comm;
	const char *event; /* name of a CALL_EVENT */
	const char *event_text; /* NULL: unknown */
};

void call_fields_add_names(struct str *out);
void call_fields_add(struct str *out, const struct syscalls *syscalls, const struct call *call,
		     const struct call_text_options *options, const struct call_fields *more);

#endif
