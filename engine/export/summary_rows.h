/*
 * summary_rows - rows of a summary: system calls, and the groups that they belong to.
 *
 * Plain data that the caller fills, times in nanoseconds. Names are already escaped. Pointers are
 * borrowed. Any thread.
 */
#ifndef EXPORT_SUMMARY_ROWS_H
#define EXPORT_SUMMARY_ROWS_H

#include "engine/record/errno_counts.h"

#include <stddef.h>
#include <stdint.h>

/* All calls of one system call in a group. */
struct summary_syscall {
	uint32_t nr;
	const char *name;
	uint64_t calls, errors, total_ns, blocked_ns;
	uint64_t waits_unknown; /* calls with unknown waits; if any, blocked_ns is a lower bound */
	/* calls of unknown duration, which no time includes; if any, total_ns is a lower bound */
	uint64_t untimed;
	uint64_t min_ns, max_ns, p50_ns, p95_ns, p99_ns;
	uint64_t deviation_ns; /* standard deviation of the durations */
	const struct errno_count *errnos; /* the most frequent errors */
	size_t errno_count;
};

/*
 * A process or a thread. pid 0: the ended processes of one name, or all processes if comm is empty.
 * tid 0: a process; in a list by thread, its ended threads or calls without a known thread.
 */
struct summary_group {
	uint32_t pid, tid;
	const char *comm; /* empty: all processes */
	uint64_t ended; /* number of ended processes summed up; 0: one process, or all */
	uint64_t calls, errors, total_ns, blocked_ns, waits_unknown, untimed;
	const struct summary_syscall *syscalls;
	size_t syscall_count;
};

#endif
