/*
 * self_usage - the memory and the CPU that this program takes, with its helper processes.
 *
 * Memory is resident memory as /proc tells it: what helpers share with each other (code, libraries)
 * is counted in each. Reads two small files of each process; any thread.
 */
#ifndef PROCESS_SELF_USAGE_H
#define PROCESS_SELF_USAGE_H

#include <stddef.h>
#include <stdint.h>

struct self_usage {
	size_t rss_bytes, helpers_rss_bytes;
	unsigned helpers;
	double cpu, helpers_cpu; /* of one CPU, since the read before; 0 at the first */
	/* Of the last read. */
	uint64_t read_ns, cpu_ticks, helpers_cpu_ticks;
};

/* The same object each time, zeroed at first. `command`: a child that is no helper; 0: none. */
void self_usage_read(struct self_usage *use, uint32_t command);

#endif
