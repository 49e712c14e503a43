/*
 * summary - what everybody did, at the end of a run: as tables, JSON or CSV.
 *
 * Plain data that the caller fills, sorted as it is to appear. Names are escaped
 * already. Any thread.
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
	uint64_t lost; /* records; not 0: everything is a lower bound */
	uint64_t started_ns, ended_ns;
	uint64_t in_flight; /* calls that had not returned at the end; in none of the sums */
	uint64_t oldest_ns; /* how long the first of them has been seen */
	const struct summary_form *form;
	bool has_blocked; /* blocked_ns was watched */
	const struct summary_group *processes;
	size_t process_count;
	/* What the form asks for instead: threads, or one for all; none: it asks for processes. */
	const struct summary_group *groups;
	size_t group_count;
	const struct summary_futex *futexes;
	size_t futex_count;
	size_t futexes_left_out; /* of those that were waited on */
	const struct summary_event *events; /* other tracepoints */
	size_t event_count;
	/* After each group, so that who writes need not keep all of them; NULL: nobody. */
	void (*wrote)(void *ctx);
	void *wrote_ctx;
	bool events_watched; /* there are tracepoints to speak of, hit or not */
	uint64_t events_lost; /* records of theirs */
};

void summary_add_text(struct str *out, const struct summary *summary);
void summary_add_json(struct str *out, const struct summary *summary); /* with a newline */
/* A line for each system call of each group that the form asks for, see fields.h. */
void summary_add_csv(struct str *out, const struct summary *summary);
/* Of the functions above: what was added so far may be taken out. */
void summary_wrote(const struct summary *summary);

#endif
