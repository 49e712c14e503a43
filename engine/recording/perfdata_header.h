/*
 * perfdata_header - what a recording tells of itself: its events, where it is from, its formats.
 *
 * Layouts are those of tools/perf/Documentation/perf.data-file-format.txt. A file has them in
 * sections, a pipe in records of their own. Anybody may have written them: counts and sizes are
 * bounded, what contradicts itself is left out. Everything is copied. One thread.
 */
#ifndef RECORDING_PERFDATA_HEADER_H
#define RECORDING_PERFDATA_HEADER_H

#include "engine/recording/perfdata_build_ids.h"
#include "engine/recording/perfdata_features.h"
#include "engine/recording/perfdata_header_info.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perfdata_header;

/* One event that was recorded. */
struct perfdata_file_event {
	struct perf_event_attr attr; /* zero where the file's is shorter */
	const uint64_t *ids;
	size_t id_count;
};

/* A tracepoint's format as tracefs had it on the recording machine. */
struct perfdata_file_format {
	const char *system; /* "raw_syscalls", NUL-terminated */
	const char *text; /* `len` bytes, not terminated */
	size_t len;
};

struct perfdata_header *perfdata_header_new(void);
void perfdata_header_free(struct perfdata_header *header);

/* False: there are too many. ids may be unaligned. */
bool perfdata_header_add_event(struct perfdata_header *header, const void *attr, size_t attr_bytes,
			       const void *ids, size_t id_count);
/* Whether anything of it is read, and how long it may be. */
bool perfdata_header_wants(unsigned bit);
size_t perfdata_header_feature_max(unsigned bit);
/* The contents of a feature's section; `bytes` is malloc'ed and becomes the header's. */
void perfdata_header_add_feature(struct perfdata_header *header, unsigned bit, char *bytes,
				 size_t len);
/* PERF_RECORD_HEADER_BUILD_ID, whole. */
void perfdata_header_add_build_id(struct perfdata_header *header,
				  const struct perf_event_header *record);

/*
 * A section of ours (enum perfdata_ext_feature) of this version, unpacked, with a NUL behind it;
 * the caller's to free(). NULL: there is none, or it cannot be unpacked. Once.
 */
char *perfdata_header_take_own(struct perfdata_header *header, unsigned feature, unsigned version,
			       size_t *len);

size_t perfdata_header_event_count(const struct perfdata_header *header);
const struct perfdata_file_event *perfdata_header_event(const struct perfdata_header *header,
							size_t index);
/* Which event a sample id stands for; the only one if ids were not recorded; or -1. */
int perfdata_header_event_of_id(struct perfdata_header *header, uint64_t id);
size_t perfdata_header_format_count(const struct perfdata_header *header);
const struct perfdata_file_format *perfdata_header_format(const struct perfdata_header *header,
							  size_t index);
unsigned perfdata_header_long_bytes(const struct perfdata_header *header); /* of that machine */
/* NULL: it tells none. Borrowed until one is added. */
const struct perfdata_build_ids *perfdata_header_build_ids(struct perfdata_header *header);
/* What the header tells, "" or 0 where it does not. */
const char *perfdata_header_hostname(const struct perfdata_header *header);
const char *perfdata_header_release(const struct perfdata_header *header);
const char *perfdata_header_arch(const struct perfdata_header *header); /* as uname -m has it */
const char *perfdata_header_cpu_desc(const struct perfdata_header *header);
const char *perfdata_header_cpuid(const struct perfdata_header *header);
unsigned perfdata_header_cpus(const struct perfdata_header *header);
const struct perfdata_header_info *perfdata_header_recorded(const struct perfdata_header *header);
/* The text of /proc/kallsyms, of older versions of perf; *len 0: it is not there. Borrowed. */
const char *perfdata_header_kallsyms(const struct perfdata_header *header, size_t *len);
size_t perfdata_header_packed_max(const struct perfdata_header *header); /* of records out of one */
uint64_t perfdata_header_last_ns(
	const struct perfdata_header *header); /* the last sample; 0: not told */
/* The same moment by the clock of its times and by that of the day; false: not told. */
bool perfdata_header_clocks(const struct perfdata_header *header, uint64_t *clock_ns,
			    uint64_t *wall_ns);

#endif
