#include "tui/view/totals_columns.h"

#include "tui/view/totals_values.h"

#include <string.h>

#define NESTED_TITLE "PID (INSIDE)"
#define TREE_NAME_COLS 120
#define FIGURE .align = ALIGN_RIGHT, .descending = true

struct column_def {
	struct table_column column;
	const char *name;
};

/* clang-format off */
static const struct column_def defs[TOTALS_COLUMN_COUNT] = {
	[TOTALS_ID] = { .name = "number", .column = {
		.name = "pid", .title = "PID",
		.help = "number of the process, thread, user or system call; in parentheses the "
			"pid inside its pid namespace",
		.min_cols = 7, .align = ALIGN_RIGHT } },
	[TOTALS_PARENT] = { .name = "parent", .column = {
		.name = "ppid", .title = "PPID", .help = "parent process",
		.min_cols = 7, .align = ALIGN_RIGHT } },
	[TOTALS_USER] = { .name = "user", .column = {
		.name = "user", .title = "USER", .help = "effective user",
		.min_cols = 9 } },
	[TOTALS_NAME] = { .name = "name", .column = {
		.name = "comm", .title = "COMM", .help = "comm", .min_cols = 10, .flex = 1,
		.flex_cols = 32 } },
	[TOTALS_CONTAINER] = { .name = "container", .column = {
		.name = "container", .title = "CONTAINER",
		.help = "container, pod or service, from its cgroup",
		.min_cols = CONTAINER_ID_SHORT, .flex = 1, .flex_cols = 40 } },
	[TOTALS_CGROUP] = { .name = "cgroup", .column = {
		.name = "cgroup", .title = "CGROUP", .help = "cgroup path",
		.min_cols = 20, .flex = 1 } },
	[TOTALS_THREADS] = { .name = "threads", .column = {
		.name = "threads", .title = "THR", .help = "threads now, as far as known",
		.min_cols = 4, FIGURE } },
	[TOTALS_RATE] = { .name = "calls/s", .column = {
		.name = "calls/s", .title = "CALLS/s",
		.help = "calls that returned in the last second", .min_cols = 8, FIGURE } },
	[TOTALS_CALLS] = { .name = "calls", .column = {
		.name = "calls", .title = "CALLS", .help = "calls that returned",
		.min_cols = 7, FIGURE } },
	[TOTALS_ERRORS] = { .name = "errors", .column = {
		.name = "err%", .title = "ERR%", .help = "percentage of failed calls",
		.min_cols = 5, FIGURE } },
	[TOTALS_TOTAL] = { .name = "time in calls", .column = {
		.name = "total", .title = "IN CALLS",
		.help = "time in calls, including calls in flight",
		.min_cols = 9, FIGURE } },
	[TOTALS_CPU] = { .name = "on CPU", .column = {
		.name = "on-cpu", .title = "ON CPU",
		.help = "time on a CPU in these calls", .min_cols = 7,
		FIGURE } },
	[TOTALS_BLOCKED] = { .name = "blocked", .column = {
		.name = "blocked", .title = "BLOCKED",
		.help = "time asleep in these calls",
		.min_cols = 8, FIGURE } },
	[TOTALS_RUNNABLE] = { .name = "runnable", .column = {
		.name = "runnable", .title = "RUNNABLE",
		.help = "time runnable in these calls: waiting for a CPU",
		.min_cols = 9, FIGURE } },
	[TOTALS_MEAN] = { .name = "mean", .column = {
		.name = "mean", .title = "MEAN", .help = "mean duration of calls that returned",
		.min_cols = 7, FIGURE } },
	[TOTALS_P50] = { .name = "median", .column = {
		.name = "p50", .title = "P50", .help = "median duration",
		.min_cols = 7, FIGURE } },
	[TOTALS_P95] = { .name = "95th percentile", .column = {
		.name = "p95", .title = "P95", .help = "95 % of the calls took at most this long",
		.min_cols = 7, FIGURE } },
	[TOTALS_P99] = { .name = "99th percentile", .column = {
		.name = "p99", .title = "P99", .help = "99 % of the calls took at most this long",
		.min_cols = 7, FIGURE } },
	[TOTALS_MAX] = { .name = "longest call", .column = {
		.name = "max", .title = "MAX", .help = "longest call, including calls in flight",
		.min_cols = 7, FIGURE } },
	[TOTALS_IN_FLIGHT] = { .name = "in flight", .column = {
		.name = "now", .title = "NOW", .help = "calls in flight", .min_cols = 5,
		FIGURE } },
	[TOTALS_HISTOGRAM] = { .name = "median", .column = {
		.name = "hist", .title = "1us  hist 1s", .help = "histogram of call durations",
		.min_cols = ENGINE_HISTOGRAM_CELLS, .descending = true } },
};
/* clang-format on */

/* drop: a narrow pane hides the column with the highest number first. */
struct column_place {
	enum totals_column column;
	int drop;
};

static const struct column_place overview[] = {
	{ TOTALS_ID, 0 },     { TOTALS_NAME, 0 },      { TOTALS_CONTAINER, 6 }, { TOTALS_RATE, 0 },
	{ TOTALS_ERRORS, 2 }, { TOTALS_TOTAL, 4 },     { TOTALS_BLOCKED, 0 },   { TOTALS_CALLS, 3 },
	{ TOTALS_MAX, 5 },    { TOTALS_HISTOGRAM, 1 },
};

static const struct column_place processes[] = {
	{ TOTALS_ID, 0 },        { TOTALS_PARENT, 9 },    { TOTALS_USER, 7 }, { TOTALS_NAME, 0 },
	{ TOTALS_CONTAINER, 8 }, { TOTALS_THREADS, 10 },  { TOTALS_RATE, 0 }, { TOTALS_CALLS, 4 },
	{ TOTALS_ERRORS, 3 },    { TOTALS_BLOCKED, 0 },   { TOTALS_CPU, 6 },  { TOTALS_TOTAL, 5 },
	{ TOTALS_MAX, 2 },       { TOTALS_HISTOGRAM, 1 },
};

static const struct column_place syscalls[] = {
	{ TOTALS_NAME, 0 },  { TOTALS_CALLS, 0 },   { TOTALS_RATE, 4 }, { TOTALS_ERRORS, 6 },
	{ TOTALS_TOTAL, 0 }, { TOTALS_BLOCKED, 3 }, { TOTALS_MEAN, 8 }, { TOTALS_P50, 2 },
	{ TOTALS_P95, 7 },   { TOTALS_P99, 1 },     { TOTALS_MAX, 0 },  { TOTALS_HISTOGRAM, 5 },
};

static const struct column_place users[] = {
	{ TOTALS_ID, 0 },        { TOTALS_NAME, 0 },  { TOTALS_CALLS, 0 },   { TOTALS_RATE, 4 },
	{ TOTALS_ERRORS, 6 },    { TOTALS_TOTAL, 0 }, { TOTALS_BLOCKED, 3 }, { TOTALS_MEAN, 8 },
	{ TOTALS_P50, 2 },       { TOTALS_P95, 7 },   { TOTALS_P99, 1 },     { TOTALS_MAX, 0 },
	{ TOTALS_HISTOGRAM, 5 },
};

/* .drop of columns outside the style: they are hidden before the columns of the style. */
#define OPTIONAL_DROP 11
/* clang-format off */
#define PLACES(array) { array, sizeof(array) / sizeof((array)[0]) }
/* clang-format on */

static const struct {
	const struct column_place *places;
	size_t count;
} styles[TOTALS_STYLE_COUNT] = {
	[TOTALS_STYLE_OVERVIEW] = PLACES(overview),
	[TOTALS_STYLE_PROCESSES] = PLACES(processes),
	[TOTALS_STYLE_SYSCALLS] = PLACES(syscalls),
	[TOTALS_STYLE_USERS] = PLACES(users),
};

static const struct {
	const char *title; /* of a table with this grouping */
	const char *id, *name; /* titles of the columns; id NULL: no ID column */
	int name_cols;
} groups[ENGINE_GROUP_COUNT] = {
	[ENGINE_BY_PROCESS] = { "Processes", "PID", "COMM", 10 },
	[ENGINE_BY_THREAD] = { "Threads", "TID", "COMM", 10 },
	[ENGINE_BY_SYSCALL] = { "System calls", "NR", "SYSCALL", 15 },
	[ENGINE_BY_COMM] = { "Comms", NULL, "COMM", 15 },
	[ENGINE_BY_CGROUP] = { "Cgroups", NULL, "CGROUP", 20 },
	[ENGINE_BY_USER] = { "Users", "UID", "USER", 10 },
};

const char *totals_group_title(enum engine_group group)
{
	return groups[group].title;
}

const char *totals_column_name(enum totals_column column)
{
	return defs[column].name;
}

static struct table_column *find(struct table_column *columns, enum totals_column column)
{
	while (columns->id != (int)column)
		columns++;
	return columns;
}

static int place_drop(enum totals_style style, enum totals_column column)
{
	for (size_t i = 0; i < styles[style].count; i++)
		if (styles[style].places[i].column == column)
			return styles[style].places[i].drop;
	return OPTIONAL_DROP;
}

/* True if rows of this grouping can have the column. */
static bool has_column(enum engine_group group, enum totals_column column)
{
	switch (column) {
	case TOTALS_ID:
		return groups[group].id;
	case TOTALS_PARENT:
	case TOTALS_USER:
	case TOTALS_CGROUP:
		return group == ENGINE_BY_PROCESS || group == ENGINE_BY_THREAD;
	case TOTALS_CONTAINER:
		return group == ENGINE_BY_PROCESS || group == ENGINE_BY_THREAD ||
		       group == ENGINE_BY_CGROUP;
	case TOTALS_THREADS:
		return group == ENGINE_BY_PROCESS;
	default:
		return true;
	}
}

static void name_columns(struct table_column *columns, enum totals_style style,
			 enum engine_group group)
{
	struct table_column *id = find(columns, TOTALS_ID), *name = find(columns, TOTALS_NAME);

	id->title = groups[group].id ? groups[group].id : defs[TOTALS_ID].column.title;
	id->min_cols = defs[TOTALS_ID].column.min_cols;
	name->title = groups[group].name;
	name->min_cols = groups[group].name_cols;
	/*
	 * Paths and names in a tree are long. Paths have no limit; in a tree, a limit keeps the
	 * figures near the name.
	 */
	name->flex_cols = group == ENGINE_BY_CGROUP         ? 0
			  : style == TOTALS_STYLE_PROCESSES ? TREE_NAME_COLS
							    : defs[TOTALS_NAME].column.flex_cols;
}

void totals_columns_fill(struct table_column *columns, enum totals_style style,
			 enum engine_group group)
{
	bool placed[TOTALS_COLUMN_COUNT] = { false };
	size_t count = styles[style].count;

	for (size_t i = 0; i < count; i++) {
		enum totals_column column = styles[style].places[i].column;

		columns[i] = defs[column].column;
		columns[i].id = (int)column;
		columns[i].drop = styles[style].places[i].drop;
		placed[column] = true;
	}
	for (int i = 0; i < TOTALS_COLUMN_COUNT; i++) {
		if (placed[i])
			continue;
		columns[count] = defs[i].column;
		columns[count].id = i;
		columns[count].drop = OPTIONAL_DROP;
		columns[count++].optional = true;
	}
	for (int i = 0; i < TOTALS_COLUMN_COUNT; i++)
		columns[i].hidden = !has_column(group, (enum totals_column)columns[i].id);
	name_columns(columns, style, group);
}

/* Columns that some sources cannot fill; recordings fill the fewest. */
static const enum totals_column reported[] = {
	TOTALS_PARENT, TOTALS_USER, TOTALS_THREADS, TOTALS_CGROUP, TOTALS_CONTAINER, TOTALS_CPU,
};

void totals_columns_fit(struct table_column *columns, enum totals_style style,
			enum engine_group group, const struct engine_row *rows, size_t count,
			bool has_waits)
{
	struct table_column *container = find(columns, TOTALS_CONTAINER);
	struct table_column *id = find(columns, TOTALS_ID);
	bool named = false, contained = false, has[TOTALS_COLUMN_COUNT] = { false };
	int id_cols = 0, cols;

	for (size_t i = 0; i < count; i++) {
		named = named || rows[i].container[0];
		contained = contained || rows[i].container_kind > CONTAINER_SERVICE;
		has[TOTALS_PARENT] |= rows[i].parent_pid != 0;
		has[TOTALS_USER] |= rows[i].user[0] != '\0';
		has[TOTALS_THREADS] |= rows[i].threads != 0;
		has[TOTALS_CGROUP] |= rows[i].cgroup != NULL;
		cols = totals_nested_cols(&rows[i], group);
		if (cols > id_cols)
			id_cols = cols;
	}
	for (int i = 0; i < TOTALS_COLUMN_COUNT; i++)
		columns[i].hidden = !has_column(group, (enum totals_column)columns[i].id);
	has[TOTALS_CONTAINER] = named;
	has[TOTALS_CPU] = has_waits;
	for (size_t i = 0; i < sizeof(reported) / sizeof(reported[0]); i++)
		find(columns, reported[i])->hidden |= !has[reported[i]];
	/* A container name matters more than a service name, so its column is dropped later. */
	container->drop = contained ? place_drop(style, TOTALS_HISTOGRAM)
				    : place_drop(style, TOTALS_CONTAINER);
	name_columns(columns, style, group);
	if (!id_cols)
		return;
	id->title = NESTED_TITLE;
	id->min_cols = (int)strlen(NESTED_TITLE);
	if (id_cols > id->min_cols)
		id->min_cols = id_cols;
}
