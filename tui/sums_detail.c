#include "tui/sums_detail.h"

#include "engine/base/units.h"
#include "tui/call_detail.h"
#include "tui/owner_detail.h"

#include <stdlib.h>

static void fill_sums(struct help *help, const struct engine_row *row)
{
	char text[UNITS_TEXT_BYTES];
	struct str line = STR_INIT;

	help_addf(help, ROLE_STRONG, "%s%s", row->name, row->ended ? " (ended)" : "");
	help_add(help, ROLE_TEXT, "");
	str_addf(&line, "%llu, %llu of them failed (%s%%)", (unsigned long long)row->calls,
		 (unsigned long long)row->errors,
		 units_format_percent(text, row->errors, row->calls));
	help_add_key(help, "calls", line.data);
	help_add_key(help, "per second", units_format_count(text, (uint64_t)row->calls_per_s));
	call_detail_add_time(help, "in calls", row->total_ns);
	call_detail_add_time(help, "blocked", row->blocked_ns);
	call_detail_add_time(help, "runnable", row->runnable_ns);
	call_detail_add_time(help, "shortest", row->min_ns);
	call_detail_add_time(help, "median", row->p50_ns);
	call_detail_add_time(help, "95 %", row->p95_ns);
	call_detail_add_time(help, "99 %", row->p99_ns);
	call_detail_add_time(help, "longest", row->max_ns);
	help_add_key(help, "in flight", units_format_count(text, row->in_flight));
	if (row->in_flight)
		call_detail_add_time(help, "the oldest", row->oldest_ns);
	str_release(&line);
}

static int compare_total(const void *a, const void *b)
{
	const struct engine_row *left = a, *right = b;

	return (left->total_ns < right->total_ns) - (left->total_ns > right->total_ns);
}

static void add_syscalls(struct help *help, struct session *session, const struct pick *pick)
{
	struct engine_row *rows = NULL;
	size_t count;

	if (!pick->has_pid)
		return;
	count = engine_syscall_rows(session->engine, pick->pid, pick->has_tid ? pick->tid : 0,
				    &rows);
	if (count)
		qsort(rows, count, sizeof(*rows), compare_total);
	help_add_heading(help, "Its system calls");
	help_addf(help, ROLE_DIM, "%-18s %8s %8s %8s %8s %8s %8s", "", "CALLS", "FAILED",
		  "IN CALLS", "BLOCKED", "MEDIAN", "LONGEST");
	for (size_t i = 0; i < count; i++) {
		char calls[UNITS_TEXT_BYTES], failed[UNITS_TEXT_BYTES], total[UNITS_TEXT_BYTES];
		char blocked[UNITS_TEXT_BYTES], p50[UNITS_TEXT_BYTES], max[UNITS_TEXT_BYTES];

		help_addf(help, ROLE_TEXT, "%-18s %8s %8s %8s %8s %8s %8s", rows[i].name,
			  units_format_count(calls, rows[i].calls),
			  units_format_count(failed, rows[i].errors),
			  units_format_ns(total, rows[i].total_ns),
			  units_format_ns(blocked, rows[i].blocked_ns),
			  units_format_ns(p50, rows[i].p50_ns),
			  units_format_ns(max, rows[i].max_ns));
	}
	free(rows);
}

void sums_detail_fill(const struct engine_row *row, const struct pick *pick, struct help *help,
		      struct session *session)
{
	fill_sums(help, row);
	if (row->pid)
		owner_detail_add(help, session, row->pid, row->owner);
	add_syscalls(help, session, pick);
}
