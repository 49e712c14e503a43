/*
 * perf_file - a perf.data file as a list of records in time order.
 *
 * The format is that of linux/tools/perf/Documentation/perf.data-file-format.txt:
 * a header, one attribute per event with the ids it was opened under, the
 * records, and feature sections (names, tracepoint formats). The file may have
 * been written by anybody: every offset and size is checked before it is followed,
 * what does not fit is refused in a sentence, a truncated end is dropped and
 * said. The file is mapped read-only; everything handed out is borrowed from
 * there. One thread.
 */
#ifndef SOURCE_PERF_FILE_H
#define SOURCE_PERF_FILE_H

#include "engine/base/err.h"
#include "engine/source/perf_build_ids.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perf_file;

/* One event that was recorded. */
struct perf_file_event {
	struct perf_event_attr attr; /* zero where the file's is shorter */
	const uint64_t *ids;
	size_t id_count;
};

/* A tracepoint's format as tracefs had it on the recording machine. */
struct perf_file_format {
	const char *system; /* "raw_syscalls", NUL-terminated */
	const char *text;   /* `len` bytes, not terminated */
	size_t len;
};

int perf_file_open(struct perf_file **file, const char *path, struct err *err);
void perf_file_close(struct perf_file *file);

size_t perf_file_event_count(const struct perf_file *file);
const struct perf_file_event *perf_file_event(const struct perf_file *file, size_t index);
/* Which event a sample id stands for; the only one if ids were not recorded; or -1. */
int perf_file_event_of_id(const struct perf_file *file, uint64_t id);

size_t perf_file_format_count(const struct perf_file *file);
const struct perf_file_format *perf_file_format(const struct perf_file *file, size_t index);
unsigned perf_file_long_bytes(const struct perf_file *file); /* of the recording machine */

/* Records in the order of their times; those without a time keep their place. */
size_t perf_file_record_count(const struct perf_file *file);
const struct perf_event_header *perf_file_record(const struct perf_file *file, size_t index);

/* NULL: the file tells none. */
const struct perf_build_ids *perf_file_build_ids(const struct perf_file *file);
/* What the header tells, "" where it does not. */
const char *perf_file_hostname(const struct perf_file *file);
const char *perf_file_release(const struct perf_file *file);
unsigned perf_file_cpus(const struct perf_file *file);
/* Why records at the end are missing; NULL: none are. */
const char *perf_file_truncated(const struct perf_file *file);

#endif
