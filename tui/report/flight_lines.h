/*
 * flight_lines - sentences on what the flight recorder saved and on why a recording was saved.
 *
 * Any thread that may query the engine. The text is escaped.
 */
#ifndef REPORT_FLIGHT_LINES_H
#define REPORT_FLIGHT_LINES_H

#include "engine/engine.h"

/* Append "Saved f.data, 12M: 10.1s before and 1.0s after futex of mysqld/812 took 61.2ms". */
void flight_lines_save(struct engine *engine, const struct flight_save *save, struct str *out);
/*
 * Append for a recording that was read up to until_ns, its end: "Saved by a flight recorder: 10.1s
 * before and 1.0s after futex of mysqld/812 took 61.2ms; trigger: dur > 50ms".
 */
void flight_lines_mark(struct engine *engine, const struct flight_mark *mark, uint64_t until_ns,
		       struct str *out);

#endif
