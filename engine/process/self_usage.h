/*
 * self_usage - memory and CPU use of this program and its helper processes.
 *
 * Memory is resident memory as /proc shows it: pages that helpers share (code, libraries) count in
 * each of them. Reads two small files per process; any thread.
 */
#ifndef PROCESS_SELF_USAGE_H
#define PROCESS_SELF_USAGE_H

#include <stddef.h>
#include <stdint.h>

struct self_usage {
	size_t rss_bytes, helpers_rss_bytes;
	unsigned helpers;
	double cpu, helpers_cpu; /* share of one CPU since the previous read; initially 0 */
	/* State of the previous read. */
	uint64_t read_ns, cpu_ticks, helpers_cpu_ticks;
};

/*
 * Pass the same object each time, initially zeroed. `command`: a child that is not a helper; 0:
 * none.
 */
void self_usage_read(struct self_usage *use, uint32_t command);

#endif
