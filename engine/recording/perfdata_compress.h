/*
 * perfdata_compress - records inside of PERF_RECORD_COMPRESSED, the reverse of
 * perfdata_decompress.h.
 *
 * As perf writes them: one Zstandard stream, flushed at the end of each such record, which has
 * at most PERF_PACK_BYTES of other records in it. One thread.
 */
#ifndef RECORDING_PERFDATA_COMPRESS_H
#define RECORDING_PERFDATA_COMPRESS_H

#include "engine/base/str.h"

#include <stdbool.h>
#include <stddef.h>

/* What comes of so many bytes is less than the 65,535 that a record may have, whatever they are. */
#define PERF_PACK_BYTES 61440

#define PERF_PACK_LEVEL_DEFAULT 1
#define PERF_PACK_LEVEL_MAX 22

struct perf_pack;

/* NULL: no memory for that level. */
struct perf_pack *perf_pack_new(int level);
void perf_pack_free(struct perf_pack *pack);

/*
 * Appends the compressed records; 0 or -EIO. The bytes must be whole records. end: the stream
 * begins anew behind them, so that what follows can be read without them.
 */
int perf_pack_add(struct perf_pack *pack, const void *records, size_t len, bool end,
		  struct str *out);

/* Appends one frame of anything, for perf_unpack_all(); 0 or -ENOMEM. */
int perf_pack_all(const void *bytes, size_t len, struct str *out);

#endif
