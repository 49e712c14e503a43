/*
 * perf_forks - finds threads that may be inside a fork(2) that began before a given moment.
 *
 * fork copies the events of the parent early and reports the child at the end. If the parent is
 * preempted between the two, the time between them is unbounded. /proc shows when the fork must be
 * over. A thread in fork is running or runnable (state R) or waits in the kernel (state D). Except
 * for enormous processes, fork takes at most PERF_FORK_CPU_NS of CPU time. The source's thread
 * only.
 */
#ifndef PERF_PERF_FORKS_H
#define PERF_PERF_FORKS_H

#include "engine/base/clock.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PERF_FORK_CPU_NS (10 * NS_PER_MS)

struct perf_fork {
	uint32_t tid;
	uint64_t started, cpu_ticks; /* as in proc_stat */
};

struct perf_forks {
	struct perf_fork *forks; /* owned */
	size_t count, capacity;
};

/* clang-format off */
#define PERF_FORKS_INIT { .forks = NULL, .count = 0, .capacity = 0 }
/* clang-format on */

void perf_forks_release(struct perf_forks *forks);

/* Add the thread if it may be inside a fork now. */
void perf_forks_note(struct perf_forks *forks, uint32_t tid);

/* Drop the threads whose fork is over. True if any are left. */
bool perf_forks_pending(struct perf_forks *forks);

#endif
