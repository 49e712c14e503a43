/*
 * perfdata_decompress - the records inside of PERF_RECORD_COMPRESSED.
 *
 * perf writes what it compressed as one Zstandard stream, flushed at the end of each such
 * record; a record inside may begin in one and end in the next
 * (tools/perf/Documentation/perf.data-file-format.txt). What comes out is bounded: at most
 * PERFDATA_DECOMPRESS_MAX bytes wait for the rest of their record. One thread.
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
 * The next piece of the stream, borrowed until all of it was taken by perfdata_decompress_next().
 * More than `most` bytes do not come out of it: it is broken then.
 */
void perfdata_decompress_feed(struct perfdata_decompress *unpack, const void *bytes, size_t len,
			      size_t most);
/* The next record, borrowed until the next call; NULL: it takes another piece. */
const struct perf_event_header *perfdata_decompress_next(struct perfdata_decompress *unpack);
/* Nothing that was fed before is needed to unpack what is fed next. */
bool perfdata_decompress_is_entry(const struct perfdata_decompress *unpack);
/* Something is not as it was written: no more will come. */
bool perfdata_decompress_is_broken(const struct perfdata_decompress *unpack);
/* A new stream begins, as after a jump in the file. */
void perfdata_decompress_reset(struct perfdata_decompress *unpack);

/*
 * A whole file of Zstandard at once, with a NUL behind it that *len does not count; the
 * caller's to free(). NULL: it is none, or longer than max.
 */
char *perfdata_decompress_all(const void *bytes, size_t bytes_len, size_t max, size_t *len);

#endif
