/*
 * report - the summary of a run, made from the engine's rows. Main thread.
 */
#ifndef TUI_REPORT_H
#define TUI_REPORT_H

#include "engine/base/str.h"
#include "engine/engine.h"
#include "engine/export/summary_form.h"

/* Groups and rows in the order of the form; in JSON processes always come too. */
void report_add(struct str *out, struct engine *engine, const struct summary_form *form,
		bool json);

#endif
