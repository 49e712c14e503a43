/*
 * perfdata_seek_index - a seek index: file offsets by time, and long calls (long_calls.h).
 *
 * The reader of a file (perfdata_scan.h) and the writer (perfdata_seek_index_writer.h) both build
 * it from struct perfdata_record_info. Pure.
 */
#ifndef READ_PERFDATA_SEEK_INDEX_H
#define READ_PERFDATA_SEEK_INDEX_H

#include "engine/recording/long_calls.h"
#include "engine/recording/read/perfdata_file.h"
#include "engine/recording/read/perfdata_record_info.h"
#include "engine/recording/read/perfdata_time_index.h"

/*
 * Number of bytes read before a seek target, for calls in flight and other state. It depends only
 * on the file, so that each seek to a time yields the same result. _PACKED: the number for
 * compressed files; it holds about as many records.
 */
#define PERFDATA_SEEK_INDEX_LOOK_BACK ((uint64_t)48 << 20)
#define PERFDATA_SEEK_INDEX_LOOK_BACK_PACKED ((uint64_t)6 << 20)

#define PERFDATA_SEEK_INDEX_BEFORE 4 /* maximum number of PERF_STEP_BEFORE records of a record */

struct perfdata_seek_index {
	struct perfdata_time_index index;
	struct long_calls calls;
	uint64_t before[PERFDATA_SEEK_INDEX_BEFORE]; /* places of PERF_STEP_BEFORE records */
	size_t before_count;
	bool packed;
};

/* bytes: as in perfdata_time_index_init(). */
void perfdata_seek_index_init(struct perfdata_seek_index *seek_index, uint64_t bytes);
void perfdata_seek_index_release(struct perfdata_seek_index *seek_index);
/* Prepare for compressed records. perfdata_seek_index_add() also does so when it meets one. */
void perfdata_seek_index_set_packed(struct perfdata_seek_index *seek_index);
/* Add the next record of the file. */
void perfdata_seek_index_add(struct perfdata_seek_index *seek_index,
			     const struct perfdata_record_info *info);

/*
 * Determine what to read for a start at from_ns: a stretch before it, earlier side records, and the
 * records of calls in flight. The caller frees the arrays in *seek. False: the index does not reach
 * from_ns yet.
 */
bool perfdata_seek_index_find(const struct perfdata_seek_index *seek_index, uint64_t from_ns,
			      struct perfdata_file_seek *seek);

#endif
