/*
 * perfdata_header - the header of a recording: events, machine, tracepoint formats.
 *
 * The layouts are those of tools/perf/Documentation/perf.data-file-format.txt. A file stores these
 * parts in sections, a pipe in records. The contents are untrusted: counts and sizes are bounded,
 * inconsistent parts are dropped. Contents are copied, except sections whose ownership passes to
 * the header. One thread.
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

/* One recorded event. */
struct perfdata_file_event {
	struct perf_event_attr attr; /* zero-filled where the file has fewer bytes */
	const uint64_t *ids;
	size_t id_count;
};

/* The format of a tracepoint, from tracefs of the recorded machine. */
struct perfdata_file_format {
	const char *system; /* "raw_syscalls", NUL-terminated */
	const char *text; /* `len` bytes, not terminated */
	size_t len;
};

struct perfdata_header *perfdata_header_new(void);
void perfdata_header_free(struct perfdata_header *header);

/* False: too many events or ids. ids can be unaligned. */
bool perfdata_header_add_event(struct perfdata_header *header, const void *attr, size_t attr_bytes,
			       const void *ids, size_t id_count);
/* True if stxtop reads the feature; _feature_max: maximum of its size in bytes. */
bool perfdata_header_wants(unsigned bit);
size_t perfdata_header_feature_max(unsigned bit);
/* Add the contents of a feature section. Takes ownership of `bytes`, from malloc(). */
void perfdata_header_add_feature(struct perfdata_header *header, unsigned bit, char *bytes,
				 size_t len);
/* Add a whole PERF_RECORD_HEADER_BUILD_ID. */
void perfdata_header_add_build_id(struct perfdata_header *header,
				  const struct perf_event_header *record);

/*
 * Decompress a section of stxtop (enum perfdata_ext_feature) of this version. The result ends with
 * a NUL that *len does not count, and is for the caller to free(). NULL: absent, another version,
 * or invalid. Call once per feature.
 */
char *perfdata_header_take_own(struct perfdata_header *header, unsigned feature, unsigned version,
			       size_t *len);

size_t perfdata_header_event_count(const struct perfdata_header *header);
const struct perfdata_file_event *perfdata_header_event(const struct perfdata_header *header,
							size_t index);
/*
 * Return the index of the event with this sample id. Not found: 0 if the file has only one event,
 * otherwise -1.
 */
int perfdata_header_event_of_id(struct perfdata_header *header, uint64_t id);
size_t perfdata_header_format_count(const struct perfdata_header *header);
const struct perfdata_file_format *perfdata_header_format(const struct perfdata_header *header,
							  size_t index);
/* Size of a long on the recorded machine. */
unsigned perfdata_header_long_bytes(const struct perfdata_header *header);
/* NULL: none. Borrowed until the next build-id is added. */
const struct perfdata_build_ids *perfdata_header_build_ids(struct perfdata_header *header);
/* Contents of the header; "" or 0 if absent. */
const char *perfdata_header_hostname(const struct perfdata_header *header);
const char *perfdata_header_release(const struct perfdata_header *header);
const char *perfdata_header_arch(const struct perfdata_header *header); /* as in uname -m */
const char *perfdata_header_cpu_desc(const struct perfdata_header *header);
const char *perfdata_header_cpuid(const struct perfdata_header *header);
unsigned perfdata_header_cpus(const struct perfdata_header *header);
const struct perfdata_header_info *perfdata_header_recorded(const struct perfdata_header *header);
/*
 * Return the text of /proc/kallsyms, which older versions of perf record; *len 0: absent. Borrowed.
 */
const char *perfdata_header_kallsyms(const struct perfdata_header *header, size_t *len);
/* Return the maximum size of the decompressed contents of one compressed record, in bytes. */
size_t perfdata_header_packed_max(const struct perfdata_header *header);
/* Time of the last sample; 0: absent. */
uint64_t perfdata_header_last_ns(const struct perfdata_header *header);
/* Store the times of one moment on the records' clock and on the wall clock; false: absent. */
bool perfdata_header_clocks(const struct perfdata_header *header, uint64_t *clock_ns,
			    uint64_t *wall_ns);

#endif
