/*
 * event_line - an event of another tracepoint, as a line between those of calls.
 *
 *	12.345678 (           ) bash/4242 sched:sched_process_exec: filename=/bin/ls pid=4242
 *
 * Input texts are already escaped. Any thread.
 */
#ifndef EXPORT_EVENT_LINE_H
#define EXPORT_EVENT_LINE_H

#include "engine/export/text.h"

/* Data that is not in a row of state CALL_EVENT. */
struct event_line {
	const char *comm;
	const char *cgroup; /* as written by json_add_cgroup(); NULL: unknown */
	const char *name;
	const char *text; /* the event's fields; NULL: no longer available */
};

/* Each adds a line with its newline. */
void event_line_add_text(struct str *out, const struct text_options *options,
			 const struct call *call, const struct event_line *event);
void event_line_add_json(struct str *out, const struct call *call, const struct event_line *event);

#endif
