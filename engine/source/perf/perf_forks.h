/*
 * perf_forks - threads that may be inside a fork(2) that began before a moment.
 *
 * A fork copies the events of its parent early and reports the child at its end. Preempted
 * between the two on a busy machine, it may take any time. /proc shows when it must be over: a
 * fork is running, waits for a CPU (state R) or for the kernel (state D), and takes no more than
 * PERF_FORK_CPU_NS of CPU time, but for that of an enormous process. The source's thread only.
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
	uint64_t started, cpu_ticks; /* of proc_stat */
};

struct perf_forks {
	struct perf_fork *forks; /* owned */
	size_t count, capacity;
};

/* clang-format off */
#define PERF_FORKS_INIT { .forks = NULL, .count = 0, .capacity = 0 }
/* clang-format on */

void perf_forks_release(struct perf_forks *forks);

/* Notes the thread if it may be inside a fork now. */
void perf_forks_note(struct perf_forks *forks, uint32_t tid);

/* Forgets the threads whose fork is over; true if any are left. */
bool perf_forks_pending(struct perf_forks *forks);

#endif
