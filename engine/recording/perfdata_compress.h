/*
 * perfdata_compress - compresses records into PERF_RECORD_COMPRESSED; the reverse of
 * perfdata_decompress.h.
 *
 * The format is perf's: one Zstandard stream, flushed at the end of each PERF_RECORD_COMPRESSED,
 * which contains at most PERFDATA_COMPRESS_BYTES of records. One thread.
 */
#ifndef RECORDING_PERFDATA_COMPRESS_H
#define RECORDING_PERFDATA_COMPRESS_H

#include "engine/base/str.h"

#include <stdbool.h>
#include <stddef.h>

/* Maximum input of one record: even if incompressible, it fits into 65,535 bytes. */
#define PERFDATA_COMPRESS_BYTES 61440

#define PERFDATA_COMPRESS_LEVEL_DEFAULT 1
#define PERFDATA_COMPRESS_LEVEL_MAX 22

struct perfdata_compress;

/* NULL: not enough memory for this level. */
struct perfdata_compress *perfdata_compress_new(int level);
void perfdata_compress_free(struct perfdata_compress *pack);

/*
 * Append the compressed records; 0 or -EIO. The input must be whole records. end: also end the
 * Zstandard frame, so that later input can be decompressed without this input.
 */
int perfdata_compress_add(struct perfdata_compress *pack, const void *records, size_t len, bool end,
			  struct str *out);

/* Append arbitrary bytes as one frame, for perfdata_decompress_all(); 0 or -ENOMEM. */
int perfdata_compress_all(const void *bytes, size_t len, struct str *out);

#endif
