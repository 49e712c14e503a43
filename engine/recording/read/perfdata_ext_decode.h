/*
 * perfdata_ext_decode - decodes a perf.data file written by stxtop to records of the model.
 *
 * The exact reverse of perfdata_encode.h: the same records in the same order. The file is
 * untrusted: every size is checked, invalid records are counted and dropped. Decoded records are
 * borrowed until the next call: they point into the input record and into the decoder. One thread.
 */
#ifndef READ_PERFDATA_EXT_DECODE_H
#define READ_PERFDATA_EXT_DECODE_H

#include "engine/recording/read/perfdata_file_types.h"
#include "engine/source/source.h"

#include <linux/perf_event.h>

struct perfdata_ext_decode;

/* formats: gets the other tracepoints, borrowed. NULL: their events count as malformed. */
struct perfdata_ext_decode *perfdata_ext_decode_new(struct event_formats *formats);
void perfdata_ext_decode_free(struct perfdata_ext_decode *decode);

/* Call if decoding begins after a seek: a call whose enter was not read is then not an error. */
void perfdata_ext_decode_begin_within(struct perfdata_ext_decode *decode);

/* True if a file with this first record was written by stxtop. */
bool perfdata_ext_is(const struct perf_event_header *header);
/* Read PERFDATA_EXT_BEGIN. False: another record, or invalid. */
bool perfdata_ext_read_begin(const struct perf_event_header *header, struct perfdata_file_own *own);
/* Return the time of a record; 0: none. */
uint64_t perfdata_ext_time(const struct perf_event_header *header);

/*
 * Pass the record of the model to `take`, if this record yields one. True: the record ends a drain;
 * *time_ns is the time of the drain.
 */
bool perfdata_ext_decode(struct perfdata_ext_decode *decode, const struct perf_event_header *header,
			 record_fn *take, void *ctx, uint64_t *time_ns);
/* Numbers of lost records, tracepoints, malformed records; true if switches, wakings occurred. */
uint64_t perfdata_ext_decode_lost(const struct perfdata_ext_decode *decode);
unsigned int perfdata_ext_decode_tracepoints(const struct perfdata_ext_decode *decode);
bool perfdata_ext_decode_switches(const struct perfdata_ext_decode *decode);
bool perfdata_ext_decode_wakings(const struct perfdata_ext_decode *decode);
uint64_t perfdata_ext_decode_malformed(const struct perfdata_ext_decode *decode);

#endif
