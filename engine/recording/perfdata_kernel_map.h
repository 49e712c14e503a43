/*
 * perfdata_kernel_map - the kernel mapping at the start of a recording.
 *
 * A PERF_RECORD_MMAP or MMAP2 of "[kernel.kallsyms]_text" has the start of the kernel text, which
 * differs after each boot (KASLR). Any thread.
 */
#ifndef RECORDING_PERFDATA_KERNEL_MAP_H
#define RECORDING_PERFDATA_KERNEL_MAP_H

#include "engine/recording/perfdata_build_ids.h"

#include <linux/perf_event.h>
#include <stdbool.h>

struct perfdata_kernel_map {
	uint64_t text; /* address of _text */
	uint8_t build_id[PERF_BUILD_ID_BYTES];
	uint32_t build_id_bytes; /* 0: absent */
};

/* False: the record is another mapping; *map is unchanged. */
bool perfdata_kernel_map_read(struct perfdata_kernel_map *map,
			      const struct perf_event_header *record);

#endif
