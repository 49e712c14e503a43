/*
 * event_line - what another tracepoint told, as a line among those of calls.
 *
 *	12.345678 (           ) bash/4242 sched:sched_process_exec: filename=/bin/ls pid=4242
 *
 * Texts that come in are escaped already. Any thread.
 */
#ifndef EXPORT_EVENT_LINE_H
#define EXPORT_EVENT_LINE_H

#include "engine/export/text.h"

/* What a row in the state CALL_EVENT does not say by itself. */
struct event_line {
	const char *comm;
	const char *cgroup; /* as json_add_cgroup() wrote it; NULL: not known */
	const char *name;
	const char *text; /* its fields; NULL: they are gone */
};

/* Each with its newline. */
void event_line_add_text(struct str *out, const struct text_options *options,
			 const struct call *call, const struct event_line *event);
void event_line_add_json(struct str *out, const struct call *call, const struct event_line *event);

#endif
