/*
 * perfdata_scan - creates the seek index of a recording (perfdata_seek_index.h) on its own thread.
 *
 * The thread reads all records. If a stxtop recording has an embedded seek index, the thread checks
 * the records that the index names. It then reads only the records that the index does not cover.
 * An invalid index is dropped, and all records are read. Queries: any thread, also while the index
 * is being created.
 */
#ifndef READ_PERFDATA_SCAN_H
#define READ_PERFDATA_SCAN_H

#include "engine/recording/read/perfdata_file.h"
#include "engine/recording/read/perfdata_seek_index.h"

struct perfdata_scan;

/*
 * Start the thread. NULL: no index will be available. Free the scan before the file is closed. ids:
 * the events of the file, borrowed for the call; NULL: a stxtop recording.
 */
struct perfdata_scan *perfdata_scan_start(struct perfdata_file *file, const struct perf_ids *ids);
void perfdata_scan_free(struct perfdata_scan *scan); /* NULL is allowed */

struct perfdata_scan_status {
	uint64_t bytes; /* bytes of the file read so far */
	uint64_t newest_ns; /* newest time read so far */
	bool whole;
	bool running; /* the index is still being created */
	bool dropped; /* the embedded index is invalid at byte wrong_at */
	uint64_t wrong_at;
};
void perfdata_scan_status(struct perfdata_scan *scan, struct perfdata_scan_status *status);

/* See perfdata_seek_index_find(). The caller frees the arrays in *seek. */
bool perfdata_scan_find(struct perfdata_scan *scan, uint64_t from_ns,
			struct perfdata_file_seek *seek);
/* As perfdata_time_index_density(); return how many of the `count` parts are known so far. */
size_t perfdata_scan_density(struct perfdata_scan *scan, uint64_t from_ns, uint64_t until_ns,
			     uint32_t *records, size_t count);

#endif
