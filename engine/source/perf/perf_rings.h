/*
 * perf_rings - one event buffer for each CPU, which all events there share.
 *
 * Each ring belongs to an anchor: a disabled event on this process that never
 * writes and never ends, so rings outlive the tasks that are watched. Other events
 * write into it through PERF_EVENT_IOC_SET_OUTPUT. One thread; open and
 * close may be on another one.
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
	uint64_t reported; /* records that the ring itself said were lost */
	uint64_t failed; /* the same as counted by events that are closed by now */
	uint64_t stacks; /* that perf_stack_limit counts */
	bool paused; /* no more of them for now */
};

struct perf_rings {
	struct perf_cpu *cpus;
	uint32_t count;
	size_t ring_bytes; /* the smallest that was granted */
	int epoll_fd;
};

/*
 * ring_bytes 0: the default; rounded up to a power of two pages, halved until
 * the kernel grants it. -errno with a sentence; then nothing is left open.
 */
int perf_rings_open(struct perf_rings *rings, const uint32_t *cpus, size_t cpu_count,
		    size_t ring_bytes, struct err *err);
void perf_rings_close(struct perf_rings *rings);

/* From now on perf_rings_wait() returns 1 also while this is readable; borrowed. */
void perf_rings_wake(struct perf_rings *rings, int fd);
/* 1 as soon as a ring is half full or, at the time-out, holds anything; 0; -errno. */
int perf_rings_wait(struct perf_rings *rings, int timeout_ms);

#endif
