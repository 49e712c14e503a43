/*
 * recording_info - what a recording contains about itself and the machine it was made on.
 *
 * Reads the header and the sections, but no records: the time is the same for 1 GB and 10 GB. Texts
 * are raw and owned. Missing fields are "" or 0. Any thread; can block on a disk.
 */
#ifndef ENGINE_RECORDING_INFO_H
#define ENGINE_RECORDING_INFO_H

#include "engine/base/err.h"
#include "engine/base/str.h"
#include "engine/recording/flight_mark.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

struct recording_info_event {
	char *name; /* "": unnamed */
	struct perf_event_attr attr;
	size_t ids;
};

struct recording_info {
	uint64_t bytes; /* size of the file; 0: not a regular file */
	int64_t written_s; /* last modification, in seconds since 1970; 0: not a regular file */
	char host[65], release[65], arch[65], cpu[128], cpuid[65], version[65];
	uint32_t cpus, cpus_max;
	uint64_t memory_kb;
	char *cmdline;
	uint64_t first_ns, last_ns; /* samples, by the recording's clock */
	uint64_t wall_ns; /* wall-clock time of the first sample, in ns since 1970 */
	uint32_t pack_kind, pack_level, pack_ratio; /* see perfdata_header_info.h */
	size_t build_ids;
	bool own; /* written by stxtop */
	struct flight_mark flight; /* .reason FLIGHT_NONE: not saved by a flight recorder */
	struct recording_info_event *events;
	size_t event_count;
};

/*
 * Read a recording. fd: already open, perhaps a pipe; 0: open `path`. -errno with a message if it
 * is not a recording.
 */
int recording_info_read(struct recording_info *about, const char *path, int fd, struct err *err);
void recording_info_release(struct recording_info *about);

#endif
