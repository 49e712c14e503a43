/*
 * recording_info - what a recording says of itself and of the machine that it was made on.
 *
 * Reads its head and its sections, not its records: as quick of 10 GB as of one. Texts are raw and
 * owned; what is not told is "" or 0. Any thread; may wait for a disk.
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
	char *name; /* "": it has none */
	struct perf_event_attr attr;
	size_t ids;
};

struct recording_info {
	uint64_t bytes; /* of the file; 0: it is none */
	int64_t written_s; /* when it was changed last, since 1970; 0: the same */
	char host[65], release[65], arch[65], cpu[128], cpuid[65], version[65];
	uint32_t cpus, cpus_max;
	uint64_t memory_kb;
	char *cmdline;
	uint64_t first_ns, last_ns; /* samples, by the recording's clock */
	uint64_t wall_ns; /* the first one, since 1970 */
	uint32_t pack_kind, pack_level, pack_ratio; /* see perfdata_header_info.h */
	size_t build_ids;
	bool own; /* stxtop wrote it */
	struct flight_mark flight; /* .reason FLIGHT_NONE: no flight recorder saved it */
	struct recording_info_event *events;
	size_t event_count;
};

/* fd: it is open already, perhaps a pipe; 0: it is not. -errno with a sentence: it is none. */
int recording_info_read(struct recording_info *about, const char *path, int fd, struct err *err);
void recording_info_release(struct recording_info *about);

#endif
