#include "tui/sums_columns.h"

#include "engine/base/units.h"
#include "tui/table_pane.h"
#include "widgets/histogram_bar.h"

#include <stdio.h>
#include <string.h>

#define NESTED_TITLE "PID (INSIDE)"
#define NESTED_FORMAT "%u (%u)"

struct column_def {
	struct table_column column;
	const char *name;
};

/* drop: what a narrow pane leaves out first has the highest number. */
static const struct column_def defs[SUMS_COLUMN_COUNT] = {
	[SUMS_ID] = { .name = "number", .column = {
		.name = "pid", .title = "PID",
			.help = "number of the process, thread or system call; in brackets "
			"what the process is called inside its pid namespace",
		.min_cols = 7, .align = ALIGN_RIGHT } },
	[SUMS_NAME] = { .name = "name", .column = {
		.name = "comm", .title = "COMM", .help = "its name", .min_cols = 10, .flex = 1,
		.flex_cols = 32 } },
	[SUMS_CONTAINER] = { .name = "container", .column = {
		.name = "container", .title = "CONTAINER",
			.help = "its container, pod or service, by its control group",
		.min_cols = CONTAINER_ID_SHORT, .flex = 1, .flex_cols = 40, .drop = 6 } },
	[SUMS_RATE] = { .name = "calls/s", .column = {
		.name = "calls/s", .title = "CALLS/s",
			.help = "calls that returned in the last second",
		.min_cols = 8, .align = ALIGN_RIGHT, .descending = true } },
	[SUMS_ERRORS] = { .name = "errors", .column = {
		.name = "err%", .title = "ERR%", .help = "how many of its calls failed",
		.min_cols = 5, .align = ALIGN_RIGHT, .descending = true, .drop = 2 } },
	[SUMS_TOTAL] = { .name = "time in calls", .column = {
		.name = "in-calls", .title = "IN CALLS", .help = "time in calls that returned",
		.min_cols = 9, .align = ALIGN_RIGHT, .descending = true, .drop = 4 } },
	[SUMS_BLOCKED] = { .name = "blocked", .column = {
		.name = "blocked", .title = "BLOCKED",
			.help = "time off the CPU in calls, also in those that go on",
		.min_cols = 8, .align = ALIGN_RIGHT, .descending = true } },
	[SUMS_CALLS] = { .name = "calls", .column = {
		.name = "calls", .title = "CALLS", .help = "calls that returned",
		.min_cols = 7, .align = ALIGN_RIGHT, .descending = true, .drop = 3 } },
	[SUMS_MAX] = { .name = "longest call", .column = {
		.name = "max", .title = "MAX", .help = "the longest call, also one that goes on",
		.min_cols = 7, .align = ALIGN_RIGHT, .descending = true, .drop = 5 } },
	[SUMS_HISTOGRAM] = { .name = "median", .column = {
		.name = "hist", .title = "1us  hist 1s", .help = "calls by how long they took",
		.min_cols = ENGINE_HISTOGRAM_CELLS, .descending = true, .drop = 1 } },
};

/* By what the rows are. */
static void name_columns(struct table_column *columns, enum session_group group)
{
	columns[SUMS_ID].title = defs[SUMS_ID].column.title;
	columns[SUMS_ID].min_cols = defs[SUMS_ID].column.min_cols;
	if (group == GROUP_THREAD) {
		columns[SUMS_ID].title = "TID";
	} else if (group == GROUP_SYSCALL) {
		columns[SUMS_ID].title = "NR";
		columns[SUMS_NAME].title = "SYSCALL";
		columns[SUMS_NAME].min_cols = 15;
	}
}

void sums_columns_fill(struct table_column *columns, enum session_group group)
{
	for (int i = 0; i < SUMS_COLUMN_COUNT; i++) {
		columns[i] = defs[i].column;
		columns[i].id = i;
	}
	name_columns(columns, group);
}

/* Only of processes: what its threads are there, nobody counts. */
static bool is_nested(const struct engine_row *row, enum session_group group)
{
	return group == GROUP_PROCESS && row->ns_pid;
}

void sums_columns_fit(struct table_column *columns, enum session_group group,
		      const struct engine_row *rows, size_t count)
{
	bool named = false, contained = false;
	int id_cols = 0, cols;

	for (size_t i = 0; i < count; i++) {
		named = named || rows[i].container[0];
		contained = contained || rows[i].container_kind > CONTAINER_SERVICE;
		if (!is_nested(&rows[i], group))
			continue;
		cols = snprintf(NULL, 0, NESTED_FORMAT, rows[i].pid, rows[i].ns_pid);
		if (cols > id_cols)
			id_cols = cols;
	}
	columns[SUMS_CONTAINER].hidden = !named;
	/* Who looks at containers wants to know which; services are nice to have. */
	columns[SUMS_CONTAINER].drop = contained ? defs[SUMS_HISTOGRAM].column.drop
						 : defs[SUMS_CONTAINER].column.drop;
	if (!id_cols) {
		name_columns(columns, group);
		return;
	}
	columns[SUMS_ID].title = NESTED_TITLE;
	columns[SUMS_ID].min_cols = (int)strlen(NESTED_TITLE);
	if (id_cols > columns[SUMS_ID].min_cols)
		columns[SUMS_ID].min_cols = id_cols;
}

const char *sums_column_name(enum sums_column column)
{
	return defs[column].name;
}

static uint32_t row_number(const struct engine_row *row)
{
	return row->tid ? row->tid : row->pid ? row->pid : row->nr;
}

static double error_share(const struct engine_row *row)
{
	return row->calls ? (double)row->errors / (double)row->calls : 0;
}

/* What is going on now counts too: who has hung for an hour is not without a wait. */
static uint64_t longest_ns(const struct engine_row *row)
{
	return row->max_ns > row->oldest_ns ? row->max_ns : row->oldest_ns;
}

int sums_compare(const struct engine_row *a, const struct engine_row *b,
		 enum sums_column column)
{
	switch (column) {
	case SUMS_ID:
		return compare_u64(row_number(a), row_number(b));
	case SUMS_NAME:
		return strcmp(a->name, b->name);
	case SUMS_CONTAINER:
		return strcmp(a->container, b->container);
	case SUMS_RATE:
		return (a->calls_per_s > b->calls_per_s) - (a->calls_per_s < b->calls_per_s);
	case SUMS_ERRORS:
		return (error_share(a) > error_share(b)) - (error_share(a) < error_share(b));
	case SUMS_TOTAL:
		return compare_u64(a->total_ns, b->total_ns);
	case SUMS_BLOCKED:
		return compare_u64(a->blocked_ns, b->blocked_ns);
	case SUMS_CALLS:
		return compare_u64(a->calls, b->calls);
	case SUMS_MAX:
		return compare_u64(longest_ns(a), longest_ns(b));
	case SUMS_HISTOGRAM:
		return compare_u64(a->p50_ns, b->p50_ns);
	case SUMS_COLUMN_COUNT:
		break;
	}
	return 0;
}

static void add_ns(struct table_cell *cell, uint64_t ns)
{
	char text[UNITS_TEXT_BYTES];

	if (ns)
		str_add(&cell->text, units_format_ns(text, ns));
	else
		str_add(&cell->text, "-");
}

void sums_cell(const struct engine_row *row, enum session_group group,
	       enum sums_column column, struct table_cell *cell)
{
	enum role plain = row->ended ? ROLE_DIM : ROLE_NUMBER;
	char text[UNITS_TEXT_BYTES];

	cell->role = plain;
	switch (column) {
	case SUMS_ID:
		if (is_nested(row, group))
			str_addf(&cell->text, NESTED_FORMAT, row->pid, row->ns_pid);
		else
			str_addu(&cell->text, group == GROUP_SYSCALL ? row->nr : row_number(row));
		break;
	case SUMS_NAME:
		str_add(&cell->text, row->name);
		cell->role = row->ended ? ROLE_DIM : ROLE_NAME;
		break;
	case SUMS_CONTAINER:
		str_add(&cell->text, row->container);
		cell->role = row->ended || row->container_kind <= CONTAINER_SERVICE ? ROLE_DIM
										     : ROLE_NAME;
		break;
	case SUMS_RATE:
		str_add(&cell->text, units_format_count(text,
				(uint64_t)(row->calls_per_s + 0.5)));
		if (row->calls_per_s < 0.5)
			cell->role = ROLE_DIM;
		break;
	case SUMS_ERRORS:
		str_add(&cell->text, units_format_percent(text, row->errors, row->calls));
		cell->role = !row->errors ? ROLE_DIM :
			     row->errors * 20 > row->calls && !row->ended ? ROLE_ERROR : plain;
		break;
	case SUMS_TOTAL:
		add_ns(cell, row->total_ns);
		break;
	case SUMS_BLOCKED:
		add_ns(cell, row->blocked_ns);
		break;
	case SUMS_CALLS:
		str_add(&cell->text, units_format_count(text, row->calls));
		break;
	case SUMS_MAX:
		add_ns(cell, longest_ns(row));
		if (row->oldest_ns > row->max_ns)
			cell->role = ROLE_IN_FLIGHT;
		break;
	case SUMS_HISTOGRAM:
		histogram_bar_format(&cell->text, row->histogram, ENGINE_HISTOGRAM_CELLS,
				     ENGINE_HISTOGRAM_CELLS, HISTOGRAM_BAR_LOG);
		cell->role = row->ended ? ROLE_DIM : ROLE_BAR;
		break;
	case SUMS_COLUMN_COUNT:
		break;
	}
}
