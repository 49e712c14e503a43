#include "tui/view/totals_fields.h"

#include "engine/base/escape.h"
#include "engine/base/users.h"
#include "tui/view/totals_values.h"

#include <math.h>
#include <string.h>

static void add_number(struct fields *fields, const char *name, uint32_t number, bool has)
{
	if (has)
		fields_whole(fields, name, number);
	else
		fields_none(fields, name);
}

static void add_cgroup(struct fields *fields, const char *cgroup)
{
	struct str text = STR_INIT;

	if (cgroup)
		str_add_escaped(&text, cgroup, strlen(cgroup), ESCAPE_PLAIN);
	fields_text(fields, "cgroup", cgroup ? text.data : NULL);
	str_release(&text);
}

void totals_fields_add_whose(struct fields *fields, const struct engine_row *row, bool has_nr)
{
	fields_text(fields, "name", row->name);
	add_number(fields, "pid", row->pid, row->pid != 0 && !totals_is_ended_group(row));
	add_number(fields, "tid", row->tid, row->tid != 0);
	add_number(fields, "nr", row->nr, has_nr);
	add_number(fields, "ns_pid", row->ns_pid, row->ns_pid != 0);
	add_number(fields, "ppid", row->parent_pid, row->parent_pid != 0);
	add_number(fields, "uid", row->uid, row->uid != USERS_UNKNOWN);
	add_cgroup(fields, row->cgroup);
	fields_text(fields, "container", row->container[0] ? row->container : NULL);
	fields_bool(fields, "ended", row->ended);
	if (row->ended_processes)
		fields_whole(fields, "ended_processes", row->ended_processes);
	else
		fields_none(fields, "ended_processes");
}

void totals_fields_add(struct fields *fields, const struct engine_row *row, bool counted)
{
	bool timed = totals_timed(row) || !row->calls;
	const struct {
		const char *name;
		uint64_t value;
		bool unknown;
	} figures[] = {
		{ "errors", row->errors, false },
		{ "total_ns", row->total_ns, false },
		{ "blocked_ns", row->blocked_ns, false },
		{ "runnable_ns", row->runnable_ns, false },
		{ "min_ns", row->min_ns, !timed },
		{ "p50_ns", row->p50_ns, !timed },
		{ "p95_ns", row->p95_ns, !timed },
		{ "p99_ns", row->p99_ns, !timed },
		{ "max_ns", row->max_ns, !timed },
		{ "in_flight", row->in_flight, false },
		{ "oldest_ns", row->oldest_ns, false },
		{ "in_flight_ns", row->running_ns, false },
		{ "waits_unknown", row->waits_unknown, false },
	};

	if (counted) {
		fields_whole(fields, "calls", row->calls);
		if (isnan(row->calls_per_s))
			fields_none(fields, "calls_per_s");
		else
			fields_real(fields, "calls_per_s", row->calls_per_s);
	} else {
		fields_none(fields, "calls");
		fields_none(fields, "calls_per_s");
	}
	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++)
		if (counted && !figures[i].unknown)
			fields_whole(fields, figures[i].name, figures[i].value);
		else
			fields_none(fields, figures[i].name);
	if (counted)
		fields_counts(fields, "histogram", row->histogram, ENGINE_HISTOGRAM_CELLS);
	else
		fields_none(fields, "histogram");
	if (counted)
		fields_whole(fields, "timed", totals_timed(row));
	else
		fields_none(fields, "timed");
}
