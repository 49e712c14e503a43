/*
 * report - the summary of a run, made from the engine's rows. Main thread.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "engine/engine.h"
#include "engine/export/summary_form.h"
#include "tui/config/output.h"

enum report_format {
	REPORT_TEXT,
	REPORT_JSON,
	REPORT_CSV, /* of groups and system calls alone: a file of CSV is one table */
};

/*
 * Groups and rows in the order of the form; in JSON processes always come too. Written as they
 * come: a hundred thousand processes have some 100 MB of tables.
 */
void report_add(struct output *output, struct engine *engine, const struct summary_form *form,
		enum report_format format);

#endif
