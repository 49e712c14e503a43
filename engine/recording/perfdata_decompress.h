/*
 * perfdata_decompress - the records inside of PERF_RECORD_COMPRESSED.
 *
 * perf writes what it compressed as one Zstandard stream, flushed at the end of each such
 * record; a record inside may begin in one and end in the next
 * (tools/perf/Documentation/perf.data-file-format.txt). What comes out is bounded: at most
 * PERF_UNPACK_MAX bytes wait for the rest of their record. One thread.
 */
#ifndef RECORDING_PERFDATA_DECOMPRESS_H
#define RECORDING_PERFDATA_DECOMPRESS_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>

struct perf_unpack;

struct perf_unpack *perf_unpack_new(void);
void perf_unpack_free(struct perf_unpack *unpack);

/*
 * The next piece of the stream, borrowed until all of it was taken by perf_unpack_next(). More
 * than `most` bytes do not come out of it: it is broken then.
 */
void perf_unpack_feed(struct perf_unpack *unpack, const void *bytes, size_t len, size_t most);
/* The next record, borrowed until the next call; NULL: it takes another piece. */
const struct perf_event_header *perf_unpack_next(struct perf_unpack *unpack);
/* Nothing that was fed before is needed to unpack what is fed next. */
bool perf_unpack_is_entry(const struct perf_unpack *unpack);
/* Something is not as it was written: no more will come. */
bool perf_unpack_is_broken(const struct perf_unpack *unpack);
/* A new stream begins, as after a jump in the file. */
void perf_unpack_reset(struct perf_unpack *unpack);

/*
 * A whole file of Zstandard at once, with a NUL behind it that *len does not count; the
 * caller's to free(). NULL: it is none, or longer than max.
 */
char *perf_unpack_all(const void *bytes, size_t bytes_len, size_t max, size_t *len);

#endif
