/*
 * perf_scan - the index of a recording, made by a thread of its own that looks at nothing of a
 * record but its size, kind and time.
 *
 * Any thread may ask, while it is being made.
 */
#ifndef RECORDING_PERF_SCAN_H
#define RECORDING_PERF_SCAN_H

#include "engine/recording/perf_file.h"
#include "engine/recording/perf_index.h"

struct perf_scan;

/* Of the same file; NULL: there will be no index. It ends before the file is closed. */
struct perf_scan *perf_scan_start(struct perf_file *file);
void perf_scan_free(struct perf_scan *scan); /* NULL is fine */

struct perf_scan_status {
	uint64_t bytes;	    /* of the file, so far */
	uint64_t newest_ns; /* of what was looked at */
	bool whole;
};
void perf_scan_status(struct perf_scan *scan, struct perf_scan_status *status);

/*
 * How to read what is told from from_ns on, with some of what is before it, and what is to be
 * known from then; false: it is not known yet. seek->stretches is to be freed.
 */
bool perf_scan_find(struct perf_scan *scan, uint64_t from_ns, struct perf_file_seek *seek);
/* Adds to records; how many of the parts are known by now. */
size_t perf_scan_density(struct perf_scan *scan, uint64_t from_ns, uint64_t until_ns,
			 uint32_t *records, size_t count);

#endif
