/*
 * perfdata_ext_decode - the bytes of a perf.data file of our own as records of the model.
 *
 * The reverse of perfdata_encode.h, exactly: the same records come out in the same order. The file
 * may have been written by anybody all the same, so every size is checked and what makes no
 * sense is counted and left out. What is handed over is borrowed from the record and from here
 * until the next one. One thread.
 */
#ifndef READ_PERFDATA_EXT_DECODE_H
#define READ_PERFDATA_EXT_DECODE_H

#include "engine/recording/read/perfdata_file_types.h"
#include "engine/source/source.h"

#include <linux/perf_event.h>

struct perfdata_ext_decode;

/* formats: borrowed; what other tracepoints are is added there. NULL: they are left out. */
struct perfdata_ext_decode *perfdata_ext_decode_new(struct event_formats *formats);
void perfdata_ext_decode_free(struct perfdata_ext_decode *decode);

/* What comes first is not the beginning: what was told before that is not missed. */
void perfdata_ext_decode_begin_within(struct perfdata_ext_decode *decode);

/* Whether a file whose first record is this one is of ours. */
bool perfdata_ext_is(const struct perf_event_header *header);
/* What the file says of itself, if this is the record that does. */
bool perfdata_ext_read_begin(const struct perf_event_header *header, struct perfdata_file_own *own);
/* The time of a record, 0 where it has none. */
uint64_t perfdata_ext_time(const struct perf_event_header *header);

/*
 * Hands over what this record means. True: all up to here was handed over at once, at *time_ns.
 */
bool perfdata_ext_decode(struct perfdata_ext_decode *decode, const struct perf_event_header *header,
			 record_fn *take, void *ctx, uint64_t *time_ns);
/* What has come so far. */
uint64_t perfdata_ext_decode_lost(const struct perfdata_ext_decode *decode);
unsigned int perfdata_ext_decode_tracepoints(const struct perfdata_ext_decode *decode);
bool perfdata_ext_decode_switches(const struct perfdata_ext_decode *decode);
bool perfdata_ext_decode_wakings(const struct perfdata_ext_decode *decode);
uint64_t perfdata_ext_decode_malformed(const struct perfdata_ext_decode *decode);

#endif
