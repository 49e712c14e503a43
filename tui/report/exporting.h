/*
 * exporting - a file that is being written from a view: one at a time, off the UI thread.
 *
 * What is the pane's is read here, in slices between keys (exporting_work); files and calls are
 * the background thread's, which has other things to do in between. UI thread only.
 */
#ifndef REPORT_EXPORTING_H
#define REPORT_EXPORTING_H

#include "tui/report/export_calls.h"
#include "tui/report/export_file.h"
#include "tui/report/export_table.h"

#include <stdatomic.h>

enum exporting_phase {
	EXPORTING_NOTHING,
	EXPORTING_OPENS, /* the file */
	EXPORTING_READS, /* rows: the pane must stand still */
	EXPORTING_WRITES,
};

enum exporting_news {
	EXPORTING_NO_NEWS,
	EXPORTING_EXISTS, /* there is such a file: begin again with `replace`, or not */
	EXPORTING_REFUSED, /* there cannot be such a file: .err says why */
	EXPORTING_STARTED, /* it is being written */
	EXPORTING_FAILED, /* .err says why, nothing of it is left */
	EXPORTING_STOPPED, /* as was asked, nothing of it is left */
	EXPORTING_DONE,
};

struct exporting {
	enum exporting_phase phase;
	enum export_format format;
	struct str path; /* of the last file too */
	bool has_calls, has_table; /* what is written; neither: .text alone */
	bool of_calls; /* has_calls, of the last file too */
	struct export_calls calls;
	struct export_table table;
	bool stopping;
	/* The background's while `busy`. */
	struct export_file file;
	struct str text; /* what is written next, from there on */
	size_t text_at;
	bool replace, made_text, finished;
	int rc;
	struct err err;
	atomic_bool busy;
	/* How far it is; of the last file, when it is done. */
	_Atomic uint64_t bytes, rows, missing;
	_Atomic unsigned percent;
};

void exporting_init(struct exporting *exporting);
/* Waits for the background; a file that is not whole is gone. */
void exporting_release(struct exporting *exporting);

/*
 * -EBUSY: another one goes on. Takes the subject's list. `text` is what is written where the
 * format is not of rows or calls; else NULL.
 */
int exporting_begin(struct exporting *exporting, const struct session *session,
		    const struct export_subject *subject, enum export_format format,
		    const char *text, const char *path, bool replace, struct err *err);
/* Gives it up; exporting_look() tells when that is done. */
void exporting_stop(struct exporting *exporting);

/* Between keys, while it goes on: what is to be done next, here or in the background. */
enum exporting_news exporting_look(struct exporting *exporting, const struct session *session);
/* Before the pane may change: reads the rest of its rows. */
void exporting_read_all(struct exporting *exporting);

static inline bool exporting_runs(const struct exporting *exporting)
{
	return exporting->phase != EXPORTING_NOTHING;
}

/* "calls.json 43 %", appended. */
void exporting_say(const struct exporting *exporting, struct str *out);

#endif
