#include "engine/export/fields.h"
#include "engine/export/summary.h"

#include "engine/decode/syscalls.h"

/* Add the errors with known numbers, as in "ENOENT 12 EAGAIN 3". */
static void add_errnos(struct fields *fields, const struct summary_syscall *row)
{
	struct str text = STR_INIT;

	for (size_t i = 0; i < row->errno_count; i++) {
		const struct errno_count *count = &row->errnos[i];
		const char *name = errno_name((int)count->number);

		if (count->number == ERRNO_COUNTS_UNKNOWN)
			continue;
		if (text.len)
			str_addc(&text, ' ');
		if (name)
			str_add(&text, name);
		else
			str_addu(&text, count->number);
		str_addc(&text, ' ');
		str_addu(&text, count->count);
	}
	fields_text(fields, "errnos", text.data);
	str_release(&text);
}

/* Add pid or tid; 0: none, as in a group of all tasks or of a process. */
static void add_number(struct fields *fields, const char *name, uint32_t number)
{
	if (number)
		fields_whole(fields, name, number);
	else
		fields_none(fields, name);
}

static void add_duration(struct fields *fields, const char *name, const struct summary_syscall *row,
			 uint64_t ns)
{
	if (row->untimed < row->calls)
		fields_whole(fields, name, ns);
	else
		fields_none(fields, name);
}

static void add(struct str *out, enum fields_format format, const struct summary *summary,
		const struct summary_group *group, const struct summary_syscall *row)
{
	struct fields fields = fields_begin(out, format, "syscall");

	add_number(&fields, "pid", group->pid);
	add_number(&fields, "tid", group->tid);
	fields_text(&fields, "comm", group->comm && *group->comm ? group->comm : NULL);
	fields_whole(&fields, "nr", row->nr);
	fields_text(&fields, "syscall", row->name);
	fields_whole(&fields, "calls", row->calls);
	fields_whole(&fields, "errors", row->errors);
	fields_whole(&fields, "total_ns", row->total_ns);
	if (summary->has_blocked)
		fields_whole(&fields, "blocked_ns", row->blocked_ns);
	else
		fields_none(&fields, "blocked_ns");
	add_duration(&fields, "min_ns", row, row->min_ns);
	add_duration(&fields, "p50_ns", row, row->p50_ns);
	add_duration(&fields, "p95_ns", row, row->p95_ns);
	add_duration(&fields, "p99_ns", row, row->p99_ns);
	add_duration(&fields, "max_ns", row, row->max_ns);
	add_duration(&fields, "stddev_ns", row, row->deviation_ns);
	add_errnos(&fields, row);
	if (group->ended)
		fields_whole(&fields, "ended_processes", group->ended);
	else
		fields_none(&fields, "ended_processes");
	if (summary->has_blocked)
		fields_whole(&fields, "waits_unknown", row->waits_unknown);
	else
		fields_none(&fields, "waits_unknown");
	fields_whole(&fields, "timed", row->calls - row->untimed);
	fields_end(&fields);
}

void summary_add_csv(struct str *out, const struct summary *summary)
{
	const struct summary_group *groups = summary->group_count ? summary->groups
								  : summary->processes;
	size_t count = summary->group_count ? summary->group_count : summary->process_count;

	add(out, FIELDS_CSV_NAMES, summary, &(struct summary_group){ 0 },
	    &(struct summary_syscall){ 0 });
	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < groups[i].syscall_count; j++)
			add(out, FIELDS_CSV, summary, &groups[i], &groups[i].syscalls[j]);
		summary_wrote(summary);
	}
}
