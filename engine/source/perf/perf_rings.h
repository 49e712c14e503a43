/*
 * perf_rings - one event buffer per CPU, shared by all events of that CPU.
 *
 * Each ring belongs to an anchor: a disabled event on this process. The anchor never writes and
 * never ends, so rings outlive the watched tasks. Other events write into it through
 * PERF_EVENT_IOC_SET_OUTPUT. One thread; open and close may run on another one.
 */
#ifndef PERF_PERF_RINGS_H
#define PERF_PERF_RINGS_H

#include "engine/base/err.h"
#include "engine/source/perf/perf_ring.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PERF_RING_BYTES_DEFAULT (4u << 20)

struct perf_cpu {
	uint32_t cpu;
	int fd; /* the anchor */
	void *map;
	size_t map_bytes;
	struct perf_ring ring;
	uint64_t reported; /* lost records, from PERF_RECORD_LOST */
	uint64_t failed; /* lost records, as counted by events that are now closed */
	uint64_t stacks; /* stacks in this window, weighted for perf_stack_limit */
	bool paused; /* perf_stack_limit has disabled stacks */
};

struct perf_rings {
	struct perf_cpu *cpus;
	uint32_t count;
	size_t ring_bytes; /* smallest size granted to a ring */
	int epoll_fd;
};

/*
 * Open a ring on each CPU. ring_bytes is rounded up to a power of two pages and halved until the
 * kernel grants it; 0: default. Skips CPUs that are offline. -errno with a message; nothing is left
 * open.
 */
int perf_rings_open(struct perf_rings *rings, const uint32_t *cpus, size_t cpu_count,
		    size_t ring_bytes, struct err *err);
void perf_rings_close(struct perf_rings *rings);

/* Let perf_rings_wait() also return 1 while fd is readable; borrowed. */
void perf_rings_wake(struct perf_rings *rings, int fd);
/*
 * Wait for data. Return 1 when a ring is half full, or if one has data at the timeout; 0 if none
 * has data; or -errno.
 */
int perf_rings_wait(struct perf_rings *rings, int timeout_ms);

#endif
