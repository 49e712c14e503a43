/*
 * export_calls - calls of the history written as text or for other programs, in slices.
 *
 * It goes on from where it was, so that a million calls hold up neither the interface nor what
 * else waits for the thread. What the history drops before it was written is missing, and
 * counted. Not the UI thread, but for init and release; one at a time.
 */
#ifndef REPORT_EXPORT_CALLS_H
#define REPORT_EXPORT_CALLS_H

#include "tui/calls/call_cells.h"
#include "tui/config/lines.h"
#include "tui/report/export_format.h"
#include "tui/report/folded_file.h"
#include "tui/session/export_subject.h"

struct export_calls {
	enum export_format format;
	struct engine *engine;
	struct filter *filter;
	uint64_t first, at, end; /* of the history */
	struct call *list; /* and then these */
	size_t list_at, list_count;
	uint64_t written, missing;
	bool began;
	struct lines lines; /* JSON, CSV, trace */
	/* Text: the cells of a pane, made by somebody else. */
	struct session *session; /* a copy of what they ask of it */
	struct call_cells cells;
	enum call_column columns[CALL_COLUMN_COUNT];
	size_t column_count;
	struct folded_file folded;
	uint64_t names_until_ns; /* waited for at the end; 0: not there yet */
	struct call *block;
	uint64_t *seqs;
	struct engine_bytes bytes;
};

/* Takes the subject's list and shares its filter. */
void export_calls_init(struct export_calls *calls, const struct export_subject *subject,
		       enum export_format format, const struct session *session);
void export_calls_release(struct export_calls *calls);

/* Adds what can be added until then, or some megabytes; true: that was all. */
bool export_calls_step(struct export_calls *calls, struct str *out, uint64_t until_ns);
unsigned export_calls_percent(const struct export_calls *calls);

#endif
