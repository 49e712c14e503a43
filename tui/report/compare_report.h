/* compare_report - reads two recordings in turn and writes the differences (--against). */
#ifndef REPORT_COMPARE_REPORT_H
#define REPORT_COMPARE_REPORT_H

#include "tui/config/options.h"

/* Compare the recordings. engine: new, for the first recording. 0, or -errno with a message. */
int comparing_run(struct engine *engine, const struct options *options, struct err *err);

#endif
