#include "tui/view/totals_detail.h"

#include "engine/base/clock.h"
#include "engine/base/units.h"
#include "tui/calls/blocked_stacks.h"
#include "tui/calls/call_detail.h"
#include "tui/calls/owner_detail.h"
#include "tui/session/totals_query.h"
#include "tui/view/totals_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define READ_NS (NS_PER_S / 4)

/* ---- reading ---- */

/* Several ids can be set: one system call of one process has a nr and a pid. */
static bool is_of(const struct selection *selection, const struct engine_row *row)
{
	if ((selection->has_nr && row->nr != selection->nr) ||
	    (selection->has_pid && row->pid != selection->pid) ||
	    (selection->has_tid && row->tid != selection->tid))
		return false;
	return selection->has_nr || selection->has_pid ||
	       (selection->has_uid  ? row->uid == selection->uid
		: selection->cgroup ? row->cgroup == selection->cgroup
				    : !strcmp(row->name, selection->comm));
}

static const struct engine_row *find_row(const struct selection *selection,
					 const struct engine_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (is_of(selection, &rows[i]))
			return &rows[i];
	return NULL;
}

static size_t read_rows(struct engine *engine, const struct selection *selection,
			struct engine_row **rows)
{
	struct engine_query query = {
		.pid = selection->has_pid ? selection->pid : 0,
		.tid = selection->has_tid ? selection->tid : 0,
	};
	size_t count;

	query.group = selection->has_nr    ? ENGINE_BY_SYSCALL
		      : selection->has_tid ? ENGINE_BY_THREAD
		      : selection->has_pid ? ENGINE_BY_PROCESS
		      : selection->has_uid ? ENGINE_BY_USER
		      : selection->cgroup  ? ENGINE_BY_CGROUP
					   : ENGINE_BY_COMM;
	count = engine_sums(engine, &query, rows);
	totals_add_running(*rows, count);
	return count;
}

static int compare_total(const void *a, const void *b)
{
	const struct engine_row *left = a, *right = b;

	return (left->total_ns < right->total_ns) - (left->total_ns > right->total_ns);
}

/* Runs on the job thread. */
static void read_sums(void *ctx)
{
	struct totals_detail *detail = ctx;
	struct totals_read *asked = &detail->asked;
	const struct selection *selection = &asked->selection;
	uint64_t began_ns = clock_thread_ns();
	struct engine_row *rows = NULL;
	size_t count = read_rows(asked->engine, selection, &rows);
	const struct engine_row *row = find_row(selection, rows, count);

	asked->has_row = row != NULL;
	if (row)
		asked->row = *row;
	free(rows);
	asked->syscall_count = 0;
	if (selection->has_pid)
		asked->syscall_count = engine_syscall_rows(asked->engine, selection->pid,
							   selection->has_tid ? selection->tid : 0,
							   &asked->syscalls);
	totals_add_running(asked->syscalls, asked->syscall_count);
	if (asked->syscall_count)
		qsort(asked->syscalls, asked->syscall_count, sizeof(*asked->syscalls),
		      compare_total);
	detail->cost_ns = clock_thread_ns() - began_ns;
}

void totals_detail_init(struct totals_detail *detail)
{
	memset(detail, 0, sizeof(*detail));
	detail->job = (struct job){ .run = read_sums, .ctx = detail };
}

void totals_detail_release(struct totals_detail *detail)
{
	job_cancel(&detail->job);
	free(detail->asked.syscalls);
	free(detail->known.syscalls);
}

/* False: the result belongs to a row that was open before. */
static bool take(struct totals_detail *detail, const struct session *session)
{
	struct totals_read known = detail->known;

	if (!blocked_stacks_same(&detail->asked.selection, &detail->selection))
		return false;
	detail->known = detail->asked;
	detail->asked = known;
	detail->answered = true;
	detail->read_ns = session->clock_ns;
	detail->every_ns = job_every_ns(detail->cost_ns, READ_NS);
	return true;
}

bool totals_detail_look(struct totals_detail *detail, struct session *session)
{
	bool came = job_is_done(&detail->job) && take(detail, session);
	bool due = !detail->answered ||
		   (!session->paused && session->clock_ns - detail->read_ns >= detail->every_ns);

	if (due && !job_is_pending(&detail->job)) {
		detail->asked.engine = session->engine;
		detail->asked.selection = detail->selection;
		job_submit(&detail->job, session->job_queue);
		/* Without a job queue the job has already run. */
		came = (job_is_done(&detail->job) && take(detail, session)) || came;
	}
	return came;
}

void totals_detail_begin(struct totals_detail *detail, struct session *session,
			 const struct selection *selection)
{
	detail->selection = *selection;
	detail->answered = false;
	totals_detail_look(detail, session);
}

/* ---- lines ---- */

static const char *format_wait(char text[UNITS_TEXT_BYTES], const struct engine_row *row,
			       uint64_t ns)
{
	return row->waits_unknown || row->untimed ? units_format_at_least_ns(text, ns)
						  : units_format_ns(text, ns);
}

static void add_wait(struct help *help, const char *label, const struct engine_row *row,
		     uint64_t ns)
{
	char text[UNITS_TEXT_BYTES];

	help_add_key(help, label, format_wait(text, row, ns));
}

static void add_duration(struct help *help, const char *label, const struct engine_row *row,
			 uint64_t ns)
{
	char text[UNITS_TEXT_BYTES];

	help_add_key(help, label, totals_format_duration(text, row, ns));
}

static void fill_sums(struct help *help, const struct engine_row *row)
{
	char text[UNITS_TEXT_BYTES];
	struct str line = STR_INIT;

	help_addf(help, ROLE_STRONG, "%s%s", row->name, row->ended ? " (exited)" : "");
	help_add(help, ROLE_TEXT, "");
	str_addf(&line, "%llu, %llu failed (%s%%)", (unsigned long long)row->calls,
		 (unsigned long long)row->errors,
		 units_format_percent(text, row->errors, row->calls));
	help_add_key(help, "calls", line.data);
	help_add_key(help, "per second",
		     isnan(row->calls_per_s)
			     ? "…"
			     : units_format_count(text, (uint64_t)row->calls_per_s));
	help_add_key(help, "in calls", totals_format_total(text, row));
	add_wait(help, "blocked", row, row->blocked_ns);
	add_wait(help, "runnable", row, row->runnable_ns);
	if (row->waits_unknown)
		help_addf(help, ROLE_DIM,
			  "waits of %s call%s unknown: the two times are lower bounds",
			  units_format_count(text, row->waits_unknown),
			  row->waits_unknown == 1 ? "" : "s");
	if (row->untimed)
		help_addf(help, ROLE_DIM,
			  "duration of %s call%s unknown: not part of the times below",
			  units_format_count(text, row->untimed), row->untimed == 1 ? "" : "s");
	add_duration(help, "shortest", row, row->min_ns);
	add_duration(help, "median", row, row->p50_ns);
	add_duration(help, "95 %", row, row->p95_ns);
	add_duration(help, "99 %", row, row->p99_ns);
	add_duration(help, "longest", row, totals_longest_ns(row));
	help_add_key(help, "in flight", units_format_count(text, row->in_flight));
	if (row->in_flight)
		call_detail_add_time(help, "oldest", row->oldest_ns);
	str_release(&line);
}

static void add_syscalls(struct help *help, const struct totals_detail *detail)
{
	const struct engine_row *rows = detail->known.syscalls;

	if (!detail->selection.has_pid)
		return;
	help_add_heading(help, "Its system calls");
	if (!detail->answered) {
		help_add(help, ROLE_DIM, "counting…");
		return;
	}
	help_addf(help, ROLE_DIM, "%-18s %8s %8s %8s %8s %8s %8s", "", "CALLS", "FAILED",
		  "IN CALLS", "BLOCKED", "MEDIAN", "LONGEST");
	for (size_t i = 0; i < detail->known.syscall_count; i++) {
		char calls[UNITS_TEXT_BYTES], failed[UNITS_TEXT_BYTES], total[UNITS_TEXT_BYTES];
		char blocked[UNITS_TEXT_BYTES], p50[UNITS_TEXT_BYTES], max[UNITS_TEXT_BYTES];

		help_addf(help, ROLE_TEXT, "%-18s %8s %8s %8s %8s %8s %8s", rows[i].name,
			  units_format_count(calls, rows[i].calls),
			  units_format_count(failed, rows[i].errors),
			  totals_format_total(total, &rows[i]),
			  format_wait(blocked, &rows[i], rows[i].blocked_ns),
			  totals_format_duration(p50, &rows[i], rows[i].p50_ns),
			  totals_format_duration(max, &rows[i], totals_longest_ns(&rows[i])));
	}
}

/* Return the session's row of the selected process, which needs no job; NULL: not a process. */
static const struct engine_row *row_of_session(const struct session *session,
					       const struct selection *selection)
{
	bool has = selection->has_pid && !selection->has_tid && !selection->has_nr;

	return has && session->rows ? find_row(selection, session->rows->rows, session->rows->count)
				    : NULL;
}

bool totals_detail_fill(const struct totals_detail *detail, struct session *session,
			struct help *help)
{
	const struct engine_row *row = row_of_session(session, &detail->selection);

	if (!row && !detail->answered) {
		help_add(help, ROLE_DIM, "counting…");
		return true;
	}
	if (!row && detail->known.has_row)
		row = &detail->known.row;
	if (!row)
		return false;
	fill_sums(help, row);
	if (row->pid)
		owner_detail_add(help, session, row->pid, row->owner);
	add_syscalls(help, detail);
	return true;
}
