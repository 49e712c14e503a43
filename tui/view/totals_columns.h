/*
 * totals_columns - the columns of tables of sums: their order, text and colour, whatever the rows
 * are sums of. Constant tables; any thread.
 */
#ifndef VIEW_TOTALS_COLUMNS_H
#define VIEW_TOTALS_COLUMNS_H

#include "engine/engine.h"
#include "tui/view/totals_column.h"
#include "widgets/table.h"

/* What a table of sums shows unless somebody chooses otherwise. */
enum totals_style {
	TOTALS_STYLE_OVERVIEW, /* beside others */
	TOTALS_STYLE_PROCESSES, /* who makes calls */
	TOTALS_STYLE_SYSCALLS, /* what calls are made */
	TOTALS_STYLE_USERS, /* who makes a call: the same, and who */
	TOTALS_STYLE_COUNT
};

/*
 * Fills all of TOTALS_COLUMN_COUNT columns in the order of the style; ids are enum totals_column.
 */
void totals_columns_fill(struct table_column *columns, enum totals_style style,
			 enum engine_group group);
/*
 * Hides what rows of that kind do not have, or none of these has: containers, pids inside of them,
 * time on the CPU where nobody told who waits (has_waits).
 */
void totals_columns_fit(struct table_column *columns, enum totals_style style,
			enum engine_group group, const struct engine_row *rows, size_t count,
			bool has_waits);
/* As the title, but for people: "calls/s", "blocked". */
const char *totals_column_name(enum totals_column column);

/* "Processes", "Users" */
const char *totals_group_title(enum engine_group group);

#endif
