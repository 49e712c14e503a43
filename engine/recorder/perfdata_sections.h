/*
 * perfdata_sections - feature sections of a perf.data file, as linux/tools/perf writes them.
 *
 * Pure: each function appends bytes to a string. Layouts are those of tools/perf/util/header.c and
 * trace-event-info.c.
 */
#ifndef RECORDER_PERFDATA_SECTIONS_H
#define RECORDER_PERFDATA_SECTIONS_H

#include "engine/base/str.h"
#include "engine/recording/perfdata_machine.h"

#include <linux/perf_event.h>

#define PERF_SECTION_FORMATS_MAX 512 /* maximum of other tracepoints; further ones are omitted */

/* An event of the file. */
struct perf_section_event {
	struct perf_event_attr attr;
	const char *name;
	uint64_t first_id; /* first of PERFDATA_EXT_VARIANTS consecutive ids */
};

void perfdata_sections_text(struct str *out, const char *text);
void perfdata_sections_cpus(struct str *out, const struct perfdata_machine *machine);
/* argv ends with NULL. */
void perfdata_sections_cmdline(struct str *out, const char *const *argv);
void perfdata_sections_events(struct str *out, const struct perf_section_event *events,
			      size_t count);
void perfdata_sections_clock(struct str *out, const struct perfdata_machine *machine, bool both);
/* Compression is zstd of this level; a compressed record expands to at most `bytes`. */
void perfdata_sections_compressed(struct str *out, int level, uint32_t bytes);
/* Formats of the tracepoints in `machine` and of other tracepoints. */
void perfdata_sections_tracing(struct str *out, const struct perfdata_machine *machine,
			       const struct perfdata_machine_format *others, size_t count);

#endif
