/*
 * summary_rows - the rows of a summary: system calls, and the groups that they belong to.
 *
 * Plain data that the caller fills, times in nanoseconds. Names are escaped already. What is
 * pointed to is borrowed. Any thread.
 */
#ifndef EXPORT_SUMMARY_ROWS_H
#define EXPORT_SUMMARY_ROWS_H

#include "engine/record/errno_counts.h"

#include <stddef.h>
#include <stdint.h>

/* All calls of one number by those of a group. */
struct summary_syscall {
	uint32_t nr;
	const char *name;
	uint64_t calls, errors, total_ns, blocked_ns;
	uint64_t waits_unknown; /* calls whose waits were not seen: blocked_ns is a lower bound */
	uint64_t min_ns, max_ns, p50_ns, p95_ns, p99_ns;
	uint64_t deviation_ns; /* the standard deviation of the durations */
	const struct errno_count *errnos; /* the most frequent ones */
	size_t errno_count;
};

/* A process, a thread, or with pid 0 ended processes of one name, or without a comm all of them. */
struct summary_group {
	uint32_t pid, tid; /* tid 0: a process; or, among threads, those that ended */
	const char *comm; /* may be empty for all of them */
	uint64_t ended; /* how many ended processes it is the sum of; 0: it is of one process */
	uint64_t calls, errors, total_ns, blocked_ns, waits_unknown;
	const struct summary_syscall *syscalls;
	size_t syscall_count;
};

#endif
