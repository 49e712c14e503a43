/*
 * recorded_tracepoints - recorded tracepoints other than those of calls and waits.
 *
 * One thread, during the open.
 */
#ifndef READ_RECORDED_TRACEPOINTS_H
#define READ_RECORDED_TRACEPOINTS_H

#include "engine/recording/perfdata_header.h"
#include "engine/source/event_formats.h"
#include "engine/source/perf/perf_decode.h"

/*
 * Register with the decoder those events whose parts are still 0, add them to formats, and set
 * their parts. Return their number. An event without a format in the file, or without raw bytes, is
 * skipped.
 */
unsigned int recorded_events_learn(const struct perfdata_header *header,
				   struct event_formats *formats, struct perf_decode *decode,
				   uint64_t *parts);

#endif
