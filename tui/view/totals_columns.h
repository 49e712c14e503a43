/*
 * totals_columns - order, texts and visibility of the columns in tables of totals, for every
 * grouping. Constant tables; any thread.
 */
#ifndef VIEW_TOTALS_COLUMNS_H
#define VIEW_TOTALS_COLUMNS_H

#include "engine/engine.h"
#include "tui/view/totals_column.h"
#include "widgets/table.h"

/* Default column set of a table of totals. */
enum totals_style {
	TOTALS_STYLE_OVERVIEW, /* narrow, beside other panes */
	TOTALS_STYLE_PROCESSES, /* processes, threads, users, ... */
	TOTALS_STYLE_SYSCALLS, /* system calls */
	TOTALS_STYLE_USERS, /* callers of one system call: as SYSCALLS, plus the id */
	TOTALS_STYLE_COUNT
};

/* Fill all TOTALS_COLUMN_COUNT columns in the order of the style. Ids are enum totals_column. */
void totals_columns_fill(struct table_column *columns, enum totals_style style,
			 enum engine_group group);
/*
 * Hide columns that this kind of row lacks. Also hide parent, user, threads, cgroup and container
 * if no row has a value. Hide ON CPU if has_waits is false (no sched_switch records). Widen the ID
 * column for pids inside a pid namespace.
 */
void totals_columns_fit(struct table_column *columns, enum totals_style style,
			enum engine_group group, const struct engine_row *rows, size_t count,
			bool has_waits);
/* Return the column name for messages and menus: "calls/s", "blocked". */
const char *totals_column_name(enum totals_column column);

/* Return the title of a table with this grouping: "Processes", "Users". */
const char *totals_group_title(enum engine_group group);

#endif
