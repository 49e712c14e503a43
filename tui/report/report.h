/* report - the summary of a run, from the engine's rows. Main thread. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "engine/engine.h"
#include "engine/export/summary_form.h"
#include "tui/config/output.h"

enum report_format {
	REPORT_TEXT,
	REPORT_JSON,
	REPORT_CSV, /* only groups and syscalls: a CSV file is one table */
};

/*
 * Write the summary, with groups and rows in the order of the form. JSON always includes the
 * processes. The output is flushed as it grows: 100 000 processes have about 100 MB of tables.
 */
void report_add(struct output *output, struct engine *engine, const struct summary_form *form,
		enum report_format format);

#endif
