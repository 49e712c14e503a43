/*
 * perfdata_header_info - what a recording tells of how it was made, for people alone.
 *
 * From feature sections of perf.data, whose layouts are those of tools/perf/util/header.c. Texts
 * are raw: what shows them escapes them. One thread.
 */
#ifndef RECORDING_PERFDATA_HEADER_INFO_H
#define RECORDING_PERFDATA_HEADER_INFO_H

#include "engine/base/str.h"

#include <stdbool.h>
#include <stdint.h>

#define PERFDATA_HEADER_INFO_EVENTS_MAX 4096 /* more have no names */

struct perfdata_header_info {
	char version[65]; /* of perf, or of what wrote it; "": not told, as all of these */
	struct str cmdline; /* its words with blanks between, quoted as a shell wants them */
	uint64_t memory_kb;
	uint32_t cpus_max, cpus; /* that there are, and were on */
	uint64_t first_ns; /* the first sample */
	uint32_t pack_kind, pack_level, pack_ratio; /* of compressed records; 0: they are not */
	char **events; /* names, in the order of perfdata_header_event() */
	size_t event_count;
};

/* Whether anything of a feature is taken. */
bool perfdata_header_info_wants(unsigned bit);
/* The contents of its section, borrowed; the first of each feature counts. */
void perfdata_header_info_add(struct perfdata_header_info *recorded, unsigned bit,
			      const char *bytes, size_t len);
/* Zeroes are an empty one. */
void perfdata_header_info_release(struct perfdata_header_info *recorded);

#endif
