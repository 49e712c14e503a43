/*
 * report - the summary of a run, made from the engine's rows. Main thread.
 */
#ifndef TUI_REPORT_H
#define TUI_REPORT_H

#include "engine/base/str.h"
#include "engine/engine.h"

/* Processes and their system calls, those with the longest time in calls first. */
void report_add(struct str *out, struct engine *engine, bool json);

#endif
