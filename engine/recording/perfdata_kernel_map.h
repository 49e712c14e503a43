/*
 * perfdata_kernel_map - how a recording describes the kernel itself, once, before all else.
 *
 * A PERF_RECORD_MMAP or MMAP2 of "[kernel.kallsyms]_text": where the kernel's text began. It
 * begins elsewhere each time a machine starts. Any thread.
 */
#ifndef RECORDING_PERFDATA_KERNEL_MAP_H
#define RECORDING_PERFDATA_KERNEL_MAP_H

#include "engine/recording/perfdata_build_ids.h"

#include <linux/perf_event.h>
#include <stdbool.h>

struct perfdata_kernel_map {
	uint64_t text; /* the address of its _text */
	uint8_t build_id[PERF_BUILD_ID_BYTES];
	uint32_t build_id_bytes; /* 0: the record tells none */
};

/* False: it is not of the kernel, and *map is as it was. */
bool perfdata_kernel_map_read(struct perfdata_kernel_map *map,
			      const struct perf_event_header *record);

#endif
