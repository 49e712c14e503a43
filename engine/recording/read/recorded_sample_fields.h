/*
 * recorded_sample_fields - what of a recording's samples the decoder is handed.
 *
 * Several events of a recording may have the same meaning and other fields. The decoder knows one
 * layout of stacks for each kind: the first that is met, and of others what fits. One thread,
 * while the recording is opened.
 */
#ifndef READ_RECORDED_SAMPLE_FIELDS_H
#define READ_RECORDED_SAMPLE_FIELDS_H

#include "engine/recording/perfdata_header.h"
#include "engine/source/perf/perf_decode.h"

/* The parts of the samples of this event, for perfdata_convert(); adds its ids, as of that kind. */
uint64_t recorded_parts_learn(struct perf_decode *decode, enum perf_kind kind, bool single,
			      const struct perfdata_file_event *event);

#endif
