/*
 * perfdata_header_info - how a recording was made, for display only.
 *
 * Read from feature sections of perf.data; tools/perf/util/header.c has their layouts. Texts are
 * raw bytes: escape them before display. One thread.
 */
#ifndef RECORDING_PERFDATA_HEADER_INFO_H
#define RECORDING_PERFDATA_HEADER_INFO_H

#include "engine/base/str.h"

#include <stdbool.h>
#include <stdint.h>

#define PERFDATA_HEADER_INFO_EVENTS_MAX 4096 /* with more events, no names are read */

struct perfdata_header_info {
	/* version of perf or another recorder; "" or 0: absent, also in the members below */
	char version[65];
	struct str cmdline; /* words separated by blanks, with shell quoting */
	uint64_t memory_kb;
	uint32_t cpus_max, cpus; /* number of CPUs present, number online */
	uint64_t first_ns; /* time of the first sample */
	uint32_t pack_kind, pack_level, pack_ratio; /* compression: type, level, ratio; 0: none */
	char **events; /* names, in the order of perfdata_header_event() */
	size_t event_count;
};

/* True if only this module reads the feature. */
bool perfdata_header_info_wants(unsigned bit);
/* Add the contents of a section, borrowed. Only the first command line and event list are used. */
void perfdata_header_info_add(struct perfdata_header_info *recorded, unsigned bit,
			      const char *bytes, size_t len);
/* A zeroed struct is a valid empty one. */
void perfdata_header_info_release(struct perfdata_header_info *recorded);

#endif
