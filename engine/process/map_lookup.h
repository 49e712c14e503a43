/*
 * map_lookup - what a process has mapped at an address, asked of /proc (PROCMAP_QUERY, or the text
 * of its maps where the kernel is older than 6.11). Any thread that may take a millisecond.
 */
#ifndef PROCESS_MAP_LOOKUP_H
#define PROCESS_MAP_LOOKUP_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct map_lookup {
	uint64_t start, end, offset, inode;
	uint32_t major, minor;
	bool shared, readable, writable;
	char path[PATH_MAX]; /* raw; "" where it has none */
};

/* false: nothing is, or nobody may know. */
bool map_lookup_find(uint32_t pid, uint64_t address, struct map_lookup *mapped);

/*
 * maps_fd: /proc/PID/maps. Where the mapping ends that has the address; 0: none has, or this kernel
 * (before 6.11) cannot be asked for one alone.
 */
uint64_t map_lookup_end(int maps_fd, uint64_t address);

#endif
