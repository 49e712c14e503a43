#include "engine/export/summary.h"

#include "engine/base/clock.h"
#include "engine/decode/syscalls.h"
#include "engine/export/json.h"
#include "engine/export/summary_table.h"

#include <inttypes.h>
#include <string.h>

#define NAME_COLS_MIN 16

void summary_wrote(const struct summary *summary)
{
	if (summary->wrote)
		summary->wrote(summary->wrote_ctx);
}

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static void add_group(struct str *out, const struct summary *summary,
		      const struct summary_layout *layout, const struct summary_group *group)
{
	char sum[SUMMARY_SUM_BYTES];

	if (summary->form->by == SUMMARY_BY_TOTAL)
		str_add(out, "all");
	else if (summary->form->by == SUMMARY_BY_THREAD && group->tid)
		str_addf(out, "%s/%u of process %u", group->comm, group->tid, group->pid);
	else if (group->pid)
		str_addf(out, "%s/%u", group->comm, group->pid);
	else if (group->ended)
		str_addf(out, "%s (ended), %" PRIu64 " process%s", group->comm, group->ended,
			 group->ended == 1 ? "" : "es");
	else
		str_add(out, group->comm);
	str_addf(out, ": %" PRIu64 " call%s, %" PRIu64 " error%s, %s ms", group->calls,
		 plural(group->calls), group->errors, plural(group->errors),
		 summary_format_sum(sum, group->total_ns, group->untimed));
	if (summary->has_blocked)
		str_addf(out, ", %s blocked",
			 summary_format_sum(sum, group->blocked_ns,
					    group->waits_unknown + group->untimed));
	str_add(out, "\n\n");
	summary_table_add(out, layout, group);
	str_addc(out, '\n');
}

static void add_groups(struct str *out, const struct summary *summary)
{
	bool by_process = summary->form->by == SUMMARY_BY_PROCESS;
	const struct summary_group *groups = by_process ? summary->processes : summary->groups;
	size_t count = by_process ? summary->process_count : summary->group_count;
	struct summary_layout layout;

	summary_layout_make(&layout, summary->form, groups, count);
	for (size_t i = 0; i < count; i++)
		if (groups[i].syscall_count) {
			add_group(out, summary, &layout, &groups[i]);
			summary_wrote(summary);
		}
}

/* Number of wakers shown in a line, the busiest first. */
#define WAKERS_SHOWN 2

static void add_futex(struct str *out, const struct summary_futex *futex, int cols)
{
	char total[SUMMARY_SUM_BYTES], longest[SUMMARY_SUM_BYTES];
	struct str identity = STR_INIT;

	str_addf(&identity, "%s/%u", futex->comm, futex->pid);
	str_addf(out, "  %-*s 0x%-16" PRIx64 " %10" PRIu64 " %13s %13s %5u  ", cols, identity.data,
		 futex->uaddr, futex->waits,
		 summary_format_sum(total, futex->total_ns, futex->untimed),
		 summary_format_sum(longest, futex->max_ns, futex->max_ns ? 0 : futex->untimed),
		 futex->waiters);
	str_release(&identity);
	str_add(out, futex->name && *futex->name ? futex->name : "?");
	for (size_t i = 0; i < futex->waker_count && i < WAKERS_SHOWN; i++)
		str_addf(out, "%s %s/%u (%" PRIu64 ")", i ? "," : ", woken by",
			 futex->wakers[i].comm, futex->wakers[i].tid, futex->wakers[i].count);
	if (futex->waker_count > WAKERS_SHOWN)
		str_add(out, ", ...");
	str_addc(out, '\n');
}

static void add_futexes(struct str *out, const struct summary *summary)
{
	size_t cols = NAME_COLS_MIN;

	if (!summary->futex_count)
		return;
	for (size_t i = 0; i < summary->futex_count; i++) {
		size_t comm_cols = strlen(summary->futexes[i].comm) + strlen("/4194304");

		if (comm_cols > cols)
			cols = comm_cols;
	}
	str_add(out, "futexes by total wait time\n\n");
	str_addf(out, "  %-*s %-18s %10s %13s %13s %5s  name\n", (int)cols, "process", "address",
		 "waits", "total ms", "max ms", "now");
	for (size_t i = 0; i < summary->futex_count; i++)
		add_futex(out, &summary->futexes[i], (int)cols);
	if (summary->futexes_left_out)
		str_addf(out, "  and %zu more\n", summary->futexes_left_out);
	str_addc(out, '\n');
}

static void add_events(struct str *out, const struct summary *summary)
{
	if (!summary->events_watched)
		return;
	str_add(out, "other tracepoints\n\n");
	str_addf(out, "  %10s  event\n", "count");
	for (size_t i = 0; i < summary->event_count; i++)
		str_addf(out, "  %10" PRIu64 "  %s\n", summary->events[i].count,
			 summary->events[i].name);
	str_addc(out, '\n');
	if (summary->events_lost)
		str_addf(out, "%" PRIu64 " event%s lost: the counts above are lower bounds\n\n",
			 summary->events_lost, summary->events_lost == 1 ? " was" : "s were");
}

struct sums {
	uint64_t calls, errors, total_ns, processes, waits_unknown, untimed;
};

static struct sums sum_up(const struct summary *summary)
{
	struct sums sums = { 0 };

	for (size_t i = 0; i < summary->process_count; i++) {
		sums.calls += summary->processes[i].calls;
		sums.errors += summary->processes[i].errors;
		sums.total_ns += summary->processes[i].total_ns;
		sums.waits_unknown += summary->processes[i].waits_unknown;
		sums.untimed += summary->processes[i].untimed;
		sums.processes += summary->processes[i].ended ? summary->processes[i].ended : 1;
	}
	return sums;
}

void summary_add_text(struct str *out, const struct summary *summary)
{
	struct sums sums = sum_up(summary);
	char sum[SUMMARY_SUM_BYTES];

	add_groups(out, summary);
	add_futexes(out, summary);
	add_events(out, summary);
	str_addf(out,
		 "total: %" PRIu64 " call%s, %" PRIu64 " error%s, %s ms in calls of %" PRIu64
		 " process%s, watched for %.3f s\n",
		 sums.calls, plural(sums.calls), sums.errors, plural(sums.errors),
		 summary_format_sum(sum, sums.total_ns, sums.untimed), sums.processes,
		 sums.processes == 1 ? "" : "es",
		 (double)(summary->ended_ns - summary->started_ns) / (double)NS_PER_S);
	if (summary->in_flight)
		str_addf(out, "%" PRIu64 " call%s still in flight, %sseen for %.3f s\n",
			 summary->in_flight, summary->in_flight == 1 ? " is" : "s are",
			 summary->in_flight == 1 ? "" : "the longest ",
			 (double)summary->oldest_ns / (double)NS_PER_S);
	if (sums.untimed)
		str_addf(out,
			 "unknown duration of %" PRIu64 " call%s: times with > are lower bounds\n",
			 sums.untimed, plural(sums.untimed));
	if (summary->has_blocked && sums.waits_unknown)
		str_addf(out,
			 "unknown waits in %" PRIu64
			 " call%s: blocked times with > are lower bounds\n",
			 sums.waits_unknown, plural(sums.waits_unknown));
	if (summary->lost)
		str_addf(out, "%" PRIu64 " record%s lost: the numbers above are lower bounds\n",
			 summary->lost, summary->lost == 1 ? " was" : "s were");
}

/* -- JSON ---------------------------------------------------------------------------- */

static void add_number(struct str *out, const char *key, uint64_t value)
{
	str_addn(out, ",\"", 2);
	str_add(out, key);
	str_addn(out, "\":", 2);
	str_addu(out, value);
}

static void add_timed(struct str *out, uint64_t calls, uint64_t untimed)
{
	if (untimed)
		add_number(out, "timed", calls - untimed);
}

static void add_duration(struct str *out, const char *key, const struct summary_syscall *row,
			 uint64_t ns)
{
	if (row->untimed < row->calls)
		add_number(out, key, ns);
	else
		str_addf(out, ",\"%s\":null", key);
}

/* Add the errors with known numbers: the member "errors" also counts those without. */
static void add_errnos_json(struct str *out, const struct summary_syscall *row)
{
	bool any = false;

	str_add(out, ",\"errnos\":{");
	for (size_t i = 0; i < row->errno_count; i++) {
		const char *name = errno_name((int)row->errnos[i].number);

		if (row->errnos[i].number == ERRNO_COUNTS_UNKNOWN)
			continue;
		str_add(out, any ? ",\"" : "\"");
		if (name)
			str_add(out, name);
		else
			str_addu(out, row->errnos[i].number);
		str_add(out, "\":");
		str_addu(out, row->errnos[i].count);
		any = true;
	}
	str_addc(out, '}');
}

static void add_syscall_json(struct str *out, const struct summary *summary,
			     const struct summary_syscall *row)
{
	str_add(out, "{\"nr\":");
	str_addu(out, row->nr);
	str_add(out, ",\"name\":");
	json_add_string(out, row->name);
	add_number(out, "calls", row->calls);
	add_number(out, "errors", row->errors);
	add_timed(out, row->calls, row->untimed);
	add_number(out, "total", row->total_ns);
	add_duration(out, "min", row, row->min_ns);
	add_duration(out, "max", row, row->max_ns);
	add_duration(out, "p50", row, row->p50_ns);
	add_duration(out, "p95", row, row->p95_ns);
	add_duration(out, "p99", row, row->p99_ns);
	add_duration(out, "stddev", row, row->deviation_ns);
	if (summary->has_blocked) {
		add_number(out, "blocked", row->blocked_ns);
		add_number(out, "waits_unknown", row->waits_unknown);
	}
	add_errnos_json(out, row);
	str_addc(out, '}');
}

static void add_syscalls_json(struct str *out, const struct summary *summary,
			      const struct summary_group *group)
{
	str_add(out, ",\"syscalls\":[");
	for (size_t i = 0; i < group->syscall_count; i++) {
		if (i)
			str_addc(out, ',');
		add_syscall_json(out, summary, &group->syscalls[i]);
	}
	str_addc(out, ']');
}

static void add_group_json(struct str *out, const struct summary *summary,
			   const struct summary_group *group, bool thread)
{
	str_add(out, "{\"pid\":");
	str_addu(out, group->pid);
	if (thread)
		add_number(out, "tid", group->tid);
	str_add(out, ",\"comm\":");
	json_add_string(out, group->comm);
	if (group->ended)
		add_number(out, "ended", group->ended);
	add_number(out, "calls", group->calls);
	add_number(out, "errors", group->errors);
	add_timed(out, group->calls, group->untimed);
	add_number(out, "total", group->total_ns);
	if (summary->has_blocked) {
		add_number(out, "blocked", group->blocked_ns);
		add_number(out, "waits_unknown", group->waits_unknown);
	}
	add_syscalls_json(out, summary, group);
	str_addc(out, '}');
}

static void add_groups_json(struct str *out, const struct summary *summary, const char *key,
			    const struct summary_group *groups, size_t count)
{
	bool threads = groups == summary->groups;

	str_addf(out, ",\"%s\":[", key);
	for (size_t i = 0; i < count; i++) {
		if (i)
			str_addc(out, ',');
		add_group_json(out, summary, &groups[i], threads);
		summary_wrote(summary);
	}
	str_addc(out, ']');
}

static void add_futex_json(struct str *out, const struct summary_futex *futex)
{
	str_add(out, "{\"pid\":");
	str_addu(out, futex->pid);
	str_addf(out, ",\"uaddr\":\"0x%" PRIx64 "\",\"name\":", futex->uaddr);
	if (futex->name && *futex->name)
		json_add_string(out, futex->name);
	else
		str_add(out, "null");
	add_number(out, "waits", futex->waits);
	add_timed(out, futex->waits, futex->untimed);
	add_number(out, "total", futex->total_ns);
	if (futex->max_ns || !futex->untimed)
		add_number(out, "max", futex->max_ns);
	else
		str_add(out, ",\"max\":null");
	add_number(out, "waiters", futex->waiters);
	str_add(out, ",\"wakers\":[");
	for (size_t i = 0; i < futex->waker_count; i++) {
		str_add(out, i ? ",{\"tid\":" : "{\"tid\":");
		str_addu(out, futex->wakers[i].tid);
		str_add(out, ",\"comm\":");
		json_add_string(out, futex->wakers[i].comm);
		add_number(out, "count", futex->wakers[i].count);
		str_addc(out, '}');
	}
	str_add(out, "]}");
}

static void add_events_json(struct str *out, const struct summary *summary)
{
	str_add(out, ",\"events\":[");
	for (size_t i = 0; i < summary->event_count; i++) {
		str_add(out, i ? ",{\"name\":" : "{\"name\":");
		json_add_string(out, summary->events[i].name);
		add_number(out, "count", summary->events[i].count);
		str_addc(out, '}');
	}
	str_addc(out, ']');
	add_number(out, "events_lost", summary->events_lost);
}

void summary_add_json(struct str *out, const struct summary *summary)
{
	struct sums sums = sum_up(summary);

	str_add(out, "{\"type\":\"summary\",\"source\":");
	json_add_string(out, summary->source);
	add_number(out, "calls", sums.calls);
	add_number(out, "lost", summary->lost);
	str_add(out, summary->lost ? ",\"exact\":false" : ",\"exact\":true");
	if (summary->has_blocked)
		add_number(out, "waits_unknown", sums.waits_unknown);
	add_number(out, "started", summary->started_ns);
	add_number(out, "ended", summary->ended_ns);
	add_groups_json(out, summary, "processes", summary->processes, summary->process_count);
	if (summary->form->by == SUMMARY_BY_THREAD)
		add_groups_json(out, summary, "threads", summary->groups, summary->group_count);
	else if (summary->form->by == SUMMARY_BY_TOTAL && summary->group_count)
		add_syscalls_json(out, summary, summary->groups);
	str_add(out, ",\"futexes\":[");
	for (size_t i = 0; i < summary->futex_count; i++) {
		if (i)
			str_addc(out, ',');
		add_futex_json(out, &summary->futexes[i]);
		summary_wrote(summary);
	}
	str_addc(out, ']');
	if (summary->events_watched)
		add_events_json(out, summary);
	str_add(out, "}\n");
}
