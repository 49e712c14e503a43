/*
 * recorded_sample_fields - selects the parts of recorded samples that the decoder gets.
 *
 * Several events of a recording can have the same meaning but different fields. The decoder
 * supports one stack layout per kind of event: the first one met. Events with another layout pass
 * only the parts that fit. One thread, during the open.
 */
#ifndef READ_RECORDED_SAMPLE_FIELDS_H
#define READ_RECORDED_SAMPLE_FIELDS_H

#include "engine/recording/perfdata_header.h"
#include "engine/source/perf/perf_decode.h"

/*
 * Return the parts of an event's samples for perfdata_convert(), and register its ids as `kind`.
 * single: the event belongs to one system call (recorded_syscall_events.h).
 */
uint64_t recorded_parts_learn(struct perf_decode *decode, enum perf_kind kind, bool single,
			      const struct perfdata_file_event *event);

#endif
