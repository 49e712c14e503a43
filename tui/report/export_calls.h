/*
 * export_calls - writes calls of the history as text or for other programs, in slices.
 *
 * Each step continues where the previous one stopped, so that a million calls block neither the
 * interface nor other work of the thread. Calls that the history evicts before they are written are
 * counted as missing. Any thread but the UI thread, except init and release; one at a time.
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
	uint64_t first, at, end; /* sequence numbers in the history */
	struct call *list; /* calls to write after those of the history; owned */
	size_t list_at, list_count;
	uint64_t written, missing;
	bool began;
	struct lines lines; /* JSON, CSV, trace */
	/* Text: cells as in a pane. */
	struct session *session; /* copy with the fields that the cells read */
	struct call_cells cells;
	enum call_column columns[CALL_COLUMN_COUNT];
	size_t column_count;
	struct folded_file folded;
	uint64_t names_until_ns; /* deadline for symbols at the end; 0: not started */
	struct call *block;
	uint64_t *seqs;
	struct engine_bytes bytes;
};

/* Take ownership of the subject's list and share its filter. */
void export_calls_init(struct export_calls *calls, const struct export_subject *subject,
		       enum export_format format, const struct session *session);
void export_calls_release(struct export_calls *calls);

/* Append calls until the time or a few megabytes are reached. True: all calls are written. */
bool export_calls_step(struct export_calls *calls, struct str *out, uint64_t until_ns);
unsigned export_calls_percent(const struct export_calls *calls);

#endif
