/*
 * exporting - the export in progress: writes one file from a view, off the UI thread.
 *
 * Rows belong to the pane, so the UI thread reads them in slices between keys (exporting_look). The
 * background thread gets calls and writes the file in slices, as it has other work. UI thread only.
 */
#ifndef REPORT_EXPORTING_H
#define REPORT_EXPORTING_H

#include "tui/report/export_calls.h"
#include "tui/report/export_file.h"
#include "tui/report/export_table.h"

#include <stdatomic.h>

enum exporting_phase {
	EXPORTING_NOTHING,
	EXPORTING_OPENS, /* creates the file */
	EXPORTING_READS, /* reads rows; the pane must not change */
	EXPORTING_WRITES,
};

enum exporting_news {
	EXPORTING_NO_NEWS,
	EXPORTING_EXISTS, /* the file exists: retry with `replace`, or give up */
	EXPORTING_REFUSED, /* the file cannot be created: see .err */
	EXPORTING_STARTED, /* writing has started */
	EXPORTING_FAILED, /* see .err; the file was removed */
	EXPORTING_STOPPED, /* cancelled on request; the file was removed */
	EXPORTING_DONE,
};

struct exporting {
	enum exporting_phase phase;
	enum export_format format;
	struct str path; /* of the file; valid also after the export */
	bool has_calls, has_table; /* source of the data; neither: only .text */
	bool of_calls; /* like has_calls, but valid also after the export */
	struct export_calls calls;
	struct export_table table;
	bool stopping;
	/* Owned by the background thread while `busy`. */
	struct export_file file;
	struct str text; /* text to write next, from offset text_at */
	size_t text_at;
	bool replace, made_text, finished;
	int rc;
	struct err err;
	atomic_bool busy;
	/* Progress; after the export, its final counts. */
	_Atomic uint64_t bytes, rows, missing;
	_Atomic unsigned percent;
};

void exporting_init(struct exporting *exporting);
/* Wait for the background thread. Remove an incomplete file. */
void exporting_release(struct exporting *exporting);

/*
 * Start an export. -EBUSY: one is in progress. Takes ownership of the subject's list, except with
 * -EBUSY. `text` is the content if the format has neither rows nor calls; else NULL.
 */
int exporting_begin(struct exporting *exporting, const struct session *session,
		    const struct export_subject *subject, enum export_format format,
		    const char *text, const char *path, bool replace, struct err *err);
/* Request cancellation; exporting_look() reports its completion. */
void exporting_stop(struct exporting *exporting);

/* Advance the export, here or on the background thread. Call between keys while it runs. */
enum exporting_news exporting_look(struct exporting *exporting, const struct session *session);
/* Read all remaining rows; call before the pane changes. */
void exporting_read_all(struct exporting *exporting);

static inline bool exporting_runs(const struct exporting *exporting)
{
	return exporting->phase != EXPORTING_NOTHING;
}

/* Append name and progress, such as "calls.json 43 % 12M". */
void exporting_say(const struct exporting *exporting, struct str *out);

#endif
