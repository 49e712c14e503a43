/*
 * compare_report - reads two recordings, one after the other, and writes what changed (--against).
 */
#ifndef REPORT_COMPARE_REPORT_H
#define REPORT_COMPARE_REPORT_H

#include "tui/config/options.h"

/* The engine is a new one for the first of them. 0, or -errno with a sentence. */
int comparing_run(struct engine *engine, const struct options *options, struct err *err);

#endif
