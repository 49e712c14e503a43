/*
 * perfdata_machine - the machine that a recording describes.
 *
 * Either this machine, or that of another recording. Texts are owned. Any thread.
 */
#ifndef RECORDING_PERFDATA_MACHINE_H
#define RECORDING_PERFDATA_MACHINE_H

#include "engine/base/err.h"
#include "engine/recording/perfdata_build_ids.h"
#include "engine/recording/perfdata_header.h"

#include <stdbool.h>
#include <stdint.h>

/* The format file of a tracepoint. */
struct perfdata_machine_format {
	char *system, *text;
	size_t len;
	uint64_t id;
};

struct perfdata_machine {
	char hostname[65], release[65], arch[65];
	char cpu_desc[128], cpuid[65]; /* as perf writes them; "": unknown */
	uint32_t cpus, cpus_max;
	uint32_t page_bytes;
	uint64_t wall_ns, clock_ns; /* one moment on both clocks; 0, 0: unknown */
	char *header_page, *header_event; /* of tracefs, or substitutes that perf accepts */
	char *printk; /* of tracefs, or "" */
	/* The formats of enter and exit are those of perfdata_ext.h. */
	struct perfdata_machine_format enter, exit, waking;
	uint64_t kernel_text; /* address of _text; 0: unknown */
	uint64_t kernel_end; /* address of _etext; 0: unknown */
	uint8_t kernel_id[PERF_BUILD_ID_BYTES];
	uint32_t kernel_id_bytes;
	char *modules; /* the text of /proc/modules; "": none */
};

/* Describe this machine from tracefs, /proc and /sys; takes 10 ms. Unreadable items are empty. */
void perfdata_machine_read(struct perfdata_machine *machine);
/* Describe the machine of a recording. */
void perfdata_machine_from_header(struct perfdata_machine *machine, struct perfdata_header *header);
void perfdata_machine_release(struct perfdata_machine *machine);

#endif
