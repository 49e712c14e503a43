/*
 * perfdata_decompress - extracts the records in PERF_RECORD_COMPRESSED.
 *
 * perf writes compressed records as one Zstandard stream, flushed at the end of each
 * PERF_RECORD_COMPRESSED. A contained record can begin in one PERF_RECORD_COMPRESSED and end in the
 * next (tools/perf/Documentation/perf.data-file-format.txt). The buffer for decompressed records is
 * bounded: 256 KiB. One thread.
 */
#ifndef RECORDING_PERFDATA_DECOMPRESS_H
#define RECORDING_PERFDATA_DECOMPRESS_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>

struct perfdata_decompress;

struct perfdata_decompress *perfdata_decompress_new(void);
void perfdata_decompress_free(struct perfdata_decompress *unpack);

/*
 * Feed the next piece of the stream; `bytes` is borrowed until perfdata_decompress_next() returns
 * NULL. The stream becomes invalid if the piece yields more than `most` bytes.
 */
void perfdata_decompress_feed(struct perfdata_decompress *unpack, const void *bytes, size_t len,
			      size_t most);
/* Return the next record, borrowed until the next call. NULL: feed another piece. */
const struct perf_event_header *perfdata_decompress_next(struct perfdata_decompress *unpack);
/* True if the next piece can be decompressed without earlier ones. */
bool perfdata_decompress_is_entry(const struct perfdata_decompress *unpack);
/* True if the stream is invalid: no more records will follow. */
bool perfdata_decompress_is_broken(const struct perfdata_decompress *unpack);
/* Begin a new stream, as after a seek in the file. */
void perfdata_decompress_reset(struct perfdata_decompress *unpack);

/*
 * Decompress a whole Zstandard frame. The result, for the caller to free(), ends with a NUL that
 * *len does not count. NULL: not a valid frame, or contents longer than max.
 */
char *perfdata_decompress_all(const void *bytes, size_t bytes_len, size_t max, size_t *len);

#endif
