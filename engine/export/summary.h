/*
 * summary - totals of all tasks at the end of a run, as tables, JSON or CSV.
 *
 * Plain data that the caller fills, in the order of display. Names are already escaped. Any thread.
 */
#ifndef EXPORT_SUMMARY_H
#define EXPORT_SUMMARY_H

#include "engine/base/str.h"
#include "engine/export/summary_form.h"
#include "engine/export/summary_rows.h"

struct summary_waker {
	uint32_t tid;
	const char *comm;
	uint64_t count;
};

struct summary_futex {
	uint32_t pid;
	const char *comm; /* comm of the process */
	uint64_t uaddr;
	const char *name; /* symbol at the address; NULL or empty: unknown */
	uint64_t waits, total_ns, max_ns;
	uint64_t untimed; /* waits of unknown duration, which no time includes */
	uint32_t waiters; /* threads that waited at the end */
	const struct summary_waker *wakers;
	size_t waker_count;
};

struct summary_event {
	const char *name;
	uint64_t count;
};

struct summary {
	const char *source; /* "perf" */
	uint64_t lost; /* number of lost records; if not 0, all totals are lower bounds */
	uint64_t started_ns, ended_ns;
	uint64_t in_flight; /* calls in flight at the end; not part of the sums */
	uint64_t oldest_ns; /* time since stxtop first saw the oldest of these calls */
	const struct summary_form *form;
	bool has_blocked; /* blocked_ns was measured */
	const struct summary_group *processes;
	size_t process_count;
	/* Groups by thread, or one group for all, as the form selects; none: by process. */
	const struct summary_group *groups;
	size_t group_count;
	const struct summary_futex *futexes;
	size_t futex_count;
	size_t futexes_left_out; /* futexes with waits that are not listed */
	const struct summary_event *events; /* other tracepoints */
	size_t event_count;
	/* Called after each group, so that the caller can flush the output; NULL: none. */
	void (*wrote)(void *ctx);
	void *wrote_ctx;
	bool events_watched; /* tracepoints were requested, hit or not */
	uint64_t events_lost; /* lost records of these tracepoints */
};

void summary_add_text(struct str *out, const struct summary *summary);
void summary_add_json(struct str *out, const struct summary *summary); /* with a newline */
/* Add a line for each system call of each group that the form selects, see fields.h. */
void summary_add_csv(struct str *out, const struct summary *summary);
/* Call `wrote`, so that the caller can take the output so far; used by the functions above. */
void summary_wrote(const struct summary *summary);

#endif
