/*
 * recorded_tracepoints - tracepoints of a recording that are not those of calls and waits.
 *
 * One thread, while the recording is opened.
 */
#ifndef READ_RECORDED_TRACEPOINTS_H
#define READ_RECORDED_TRACEPOINTS_H

#include "engine/recording/perfdata_header.h"
#include "engine/source/event_formats.h"
#include "engine/source/perf/perf_decode.h"

/*
 * Makes known to the decoder those whose parts are 0 so far, adds what they are to formats, and
 * gives them the parts that they need; how many there are. One whose format the file lacks, or
 * that has no raw bytes, is left out.
 */
unsigned int recorded_events_learn(const struct perfdata_header *header,
				   struct event_formats *formats, struct perf_decode *decode,
				   uint64_t *parts);

#endif
