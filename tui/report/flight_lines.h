/*
 * flight_lines - what the flight recorder did, and why a recording was saved by one, in sentences.
 *
 * Any thread that may ask the engine. Escaped.
 */
#ifndef REPORT_FLIGHT_LINES_H
#define REPORT_FLIGHT_LINES_H

#include "engine/engine.h"

/* "Saved f.data, 12M: 10.1s before and 1.0s after futex of mysqld/812 took 61.2ms"; appended. */
void flight_lines_save(struct engine *engine, const struct flight_save *save, struct str *out);
/*
 * Of a recording that was read so far: "futex of mysqld/812 took 61.2ms: this was saved by a
 * flight recorder that waited for ..., from 10.1s before on to 1.0s after"; appended. until_ns: its
 * end.
 */
void flight_lines_mark(struct engine *engine, const struct flight_mark *mark, uint64_t until_ns,
		       struct str *out);

#endif
