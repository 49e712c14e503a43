/*
 * perfdata_scan - the seek index of a recording (perfdata_seek_index.h), made by a thread of its
 * own.
 *
 * It looks at all records; of a recording of ours that brought its seek index, at those that this
 * names, and at what is behind it. One that turns out to be wrong is dropped, and all is
 * looked at. Any thread may ask, while it is being made.
 */
#ifndef READ_PERFDATA_SCAN_H
#define READ_PERFDATA_SCAN_H

#include "engine/recording/read/perfdata_file.h"
#include "engine/recording/read/perfdata_seek_index.h"

struct perfdata_scan;

/*
 * Of the same file; NULL: there will be no index. It ends before the file is closed. ids: what its
 * events are, until it returns; NULL: the file says so itself.
 */
struct perfdata_scan *perfdata_scan_start(struct perfdata_file *file, const struct perf_ids *ids);
void perfdata_scan_free(struct perfdata_scan *scan); /* NULL is fine */

struct perfdata_scan_status {
	uint64_t bytes; /* of the file, so far */
	uint64_t newest_ns; /* of what was looked at */
	bool whole;
	bool running; /* the index is still being made */
	bool dropped; /* the file brought one that is wrong at this byte: */
	uint64_t wrong_at;
};
void perfdata_scan_status(struct perfdata_scan *scan, struct perfdata_scan_status *status);

/* See perfdata_seek_index_find(). What it says to be freed is the caller's. */
bool perfdata_scan_find(struct perfdata_scan *scan, uint64_t from_ns,
			struct perfdata_file_seek *seek);
/* Adds to records; how many of the parts are known by now. */
size_t perfdata_scan_density(struct perfdata_scan *scan, uint64_t from_ns, uint64_t until_ns,
			     uint32_t *records, size_t count);

#endif
