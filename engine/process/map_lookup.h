/*
 * map_lookup - the mapping of a process at an address.
 *
 * Uses PROCMAP_QUERY (Linux 6.11), or the text of /proc/PID/maps on older kernels. Any thread that
 * is allowed to block for a few milliseconds.
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
	char path[PATH_MAX]; /* raw; "": anonymous */
};

/* False: no mapping at `address`, or no permission. */
bool map_lookup_find(uint32_t pid, uint64_t address, struct map_lookup *mapped);

/*
 * Return the end of the mapping at `address`. maps_fd: /proc/PID/maps. 0: no mapping there, or the
 * kernel lacks PROCMAP_QUERY (before 6.11).
 */
uint64_t map_lookup_end(int maps_fd, uint64_t address);

#endif
