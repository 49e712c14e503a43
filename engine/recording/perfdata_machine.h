/*
 * perfdata_machine - what a recording says of the machine that it was made on.
 *
 * Of this one, or of the one that another recording is from. Texts are owned. Any thread.
 */
#ifndef RECORDING_PERFDATA_MACHINE_H
#define RECORDING_PERFDATA_MACHINE_H

#include "engine/base/err.h"
#include "engine/recording/perfdata_build_ids.h"
#include "engine/recording/perfdata_header.h"

#include <stdbool.h>
#include <stdint.h>

/* A tracepoint's format file. */
struct perfdata_machine_format {
	char *system, *text;
	size_t len;
	uint64_t id;
};

struct perfdata_machine {
	char hostname[65], release[65], arch[65];
	char cpu_desc[128], cpuid[65]; /* as perf has them; "": not known */
	uint32_t cpus, cpus_max;
	uint32_t page_bytes;
	uint64_t wall_ns, clock_ns; /* the same moment on both clocks; 0, 0: not known */
	char *header_page, *header_event; /* of tracefs, or some that perf takes */
	char *printk; /* the same, or "" */
	struct perfdata_machine_format enter, exit,
		waking; /* of calls: as perfdata_ext.h has them */
	uint64_t kernel_text; /* the address of _text; 0: not known */
	uint64_t kernel_end; /* that of _etext, the same */
	uint8_t kernel_id[PERF_BUILD_ID_BYTES];
	uint32_t kernel_id_bytes;
	char *modules; /* as /proc/modules lists them, "" for none */
};

/* Reads tracefs, /proc and /sys: some ten milliseconds. What may not be read is left out. */
void perfdata_machine_read(struct perfdata_machine *machine);
/* That of a recording. */
void perfdata_machine_from_header(struct perfdata_machine *machine, struct perfdata_header *header);
void perfdata_machine_release(struct perfdata_machine *machine);

#endif
