/*
 * call_fields - a row of the history as a line of CSV; see fields.h.
 *
 * Each has all columns, whatever it is: a call, a loss, what another tracepoint told. "call" is
 * the call as strace writes it, or the event's text. Any thread.
 */
#ifndef EXPORT_CALL_FIELDS_H
#define EXPORT_CALL_FIELDS_H

#include "engine/decode/call_text.h"

/* What a call alone does not say. */
struct call_fields {
	const char *comm;
	const char *event; /* of a CALL_EVENT: its name */
	const char *event_text; /* NULL: not known */
};

void call_fields_add_names(struct str *out);
void call_fields_add(struct str *out, const struct syscalls *syscalls, const struct call *call,
		     const struct call_text_options *options, const struct call_fields *more);

#endif
