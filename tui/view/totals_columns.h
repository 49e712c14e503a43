/*
 * totals_columns - the columns of tables of sums: their order, text and colour, whatever the rows
 * are sums of. Constant tables; any thread.
 */
#ifndef VIEW_TOTALS_COLUMNS_H
#define VIEW_TOTALS_COLUMNS_H

#include "engine/engine.h"
#include "widgets/table.h"

enum sums_column {
	SUMS_ID, /* pid, tid, uid or number of the call */
	SUMS_PARENT,
	SUMS_USER,
	SUMS_NAME,
	SUMS_CONTAINER, /* or pod, or service */
	SUMS_CGROUP,
	SUMS_THREADS,
	SUMS_RATE,
	SUMS_CALLS,
	SUMS_ERRORS,
	SUMS_TOTAL,
	SUMS_CPU,
	SUMS_BLOCKED,
	SUMS_RUNNABLE,
	SUMS_MEAN,
	SUMS_P50,
	SUMS_P95,
	SUMS_P99,
	SUMS_MAX,
	SUMS_IN_FLIGHT,
	SUMS_HISTOGRAM,
	SUMS_COLUMN_COUNT
};

/* What a table of sums shows unless somebody chooses otherwise. */
enum sums_style {
	SUMS_STYLE_OVERVIEW, /* beside others */
	SUMS_STYLE_PROCESSES, /* who makes calls */
	SUMS_STYLE_SYSCALLS, /* what calls are made */
	SUMS_STYLE_USERS, /* who makes a call: the same, and who */
	SUMS_STYLE_COUNT
};

/* Fills all of SUMS_COLUMN_COUNT columns in the order of the style; ids are enum sums_column. */
void sums_columns_fill(struct table_column *columns, enum sums_style style,
		       enum engine_group group);
/*
 * Hides what rows of that kind do not have, or none of these has: containers, pids inside of them,
 * time on the CPU where nobody told who waits (has_waits).
 */
void sums_columns_fit(struct table_column *columns, enum sums_style style, enum engine_group group,
		      const struct engine_row *rows, size_t count, bool has_waits);
/* As the title, but for people: "calls/s", "blocked". */
const char *sums_column_name(enum sums_column column);

/* "Processes", "Users" */
const char *sums_group_title(enum engine_group group);

#endif
