/*
 * summary - what everybody did, at the end of a run: as tables or as JSON.
 *
 * Plain data that the caller fills, sorted as it is to appear. Names are escaped
 * already. Any thread.
 */
#ifndef EXPORT_SUMMARY_H
#define EXPORT_SUMMARY_H

#include "engine/base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct summary_syscall {
	uint32_t nr;
	const char *name;
	uint64_t calls, errors, total_ns;
	uint64_t min_ns, max_ns, p50_ns, p95_ns, p99_ns;
};

struct summary_process {
	uint32_t pid;
	const char *comm;
	uint64_t calls, errors, total_ns;
	const struct summary_syscall *syscalls;
	size_t syscall_count;
};

struct summary_waker {
	uint32_t tid;
	const char *comm;
	uint64_t count;
};

struct summary_futex {
	uint32_t pid;
	const char *comm; /* of the process */
	uint64_t uaddr;
	const char *name; /* what is at the address; NULL or empty: not known */
	uint64_t waits, total_ns, max_ns;
	uint32_t waiters; /* at the end */
	const struct summary_waker *wakers;
	size_t waker_count;
};

struct summary_event {
	const char *name;
	uint64_t count;
};

struct summary {
	const char *source; /* "perf" */
	uint64_t lost;      /* records; not 0: everything is a lower bound */
	uint64_t started_ns, ended_ns;
	uint64_t in_flight; /* calls that had not returned at the end; in none of the sums */
	uint64_t oldest_ns; /* how long the first of them has been seen */
	const struct summary_process *processes;
	size_t process_count;
	const struct summary_futex *futexes;
	size_t futex_count;
	size_t futexes_left_out; /* of those that were waited on */
	const struct summary_event *events; /* other tracepoints */
	size_t event_count;
	bool events_watched;  /* there are tracepoints to speak of, hit or not */
	uint64_t events_lost; /* records of theirs */
};

void summary_add_text(struct str *out, const struct summary *summary);
void summary_add_json(struct str *out, const struct summary *summary); /* with a newline */

#endif
