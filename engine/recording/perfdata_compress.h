/*
 * perfdata_compress - records inside of PERF_RECORD_COMPRESSED, the reverse of
 * perfdata_decompress.h.
 *
 * As perf writes them: one Zstandard stream, flushed at the end of each such record, which has
 * at most PERFDATA_COMPRESS_BYTES of other records in it. One thread.
 */
#ifndef RECORDING_PERFDATA_COMPRESS_H
#define RECORDING_PERFDATA_COMPRESS_H

#include "engine/base/str.h"

#include <stdbool.h>
#include <stddef.h>

/* What comes of so many bytes is less than the 65,535 that a record may have, whatever they are. */
#define PERFDATA_COMPRESS_BYTES 61440

#define PERFDATA_COMPRESS_LEVEL_DEFAULT 1
#define PERFDATA_COMPRESS_LEVEL_MAX 22

struct perfdata_compress;

/* NULL: no memory for that level. */
struct perfdata_compress *perfdata_compress_new(int level);
void perfdata_compress_free(struct perfdata_compress *pack);

/*
 * Appends the compressed records; 0 or -EIO. The bytes must be whole records. end: the stream
 * begins anew behind them, so that what follows can be read without them.
 */
int perfdata_compress_add(struct perfdata_compress *pack, const void *records, size_t len, bool end,
			  struct str *out);

/* Appends one frame of anything, for perfdata_decompress_all(); 0 or -ENOMEM. */
int perfdata_compress_all(const void *bytes, size_t len, struct str *out);

#endif
