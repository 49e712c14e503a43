#include "tui/panes/syscalls_view.h"

#include "tui/panes/stack_pane.h"
#include "tui/view/totals_pane.h"

enum syscalls_view_pane { PANE_SYSCALLS, PANE_USERS, PANE_STACK, PANE_COUNT };

#define SYSCALLS \
	.kind = LAYOUT_PANE, .pane = PANE_SYSCALLS, .min_rows = 4, .min_cols = 34, .keep = 3
#define USERS .kind = LAYOUT_PANE, .pane = PANE_USERS, .min_rows = 4, .min_cols = 34, .keep = 2
#define STACK .kind = LAYOUT_PANE, .pane = PANE_STACK, .min_rows = 4, .min_cols = 20, .keep = 1

static const struct layout_node wide[] = {
	{ .kind = LAYOUT_ROWS, .first = 1, .count = 2, .weight = 1 },
	{ SYSCALLS, .weight = 55 },
	{ .kind = LAYOUT_COLS, .first = 3, .count = 2, .weight = 45 },
	{ USERS, .weight = 50 },
	{ STACK, .weight = 50 },
};

static const struct layout_node narrow[] = {
	{ .kind = LAYOUT_ROWS, .first = 1, .count = 3, .weight = 1 },
	{ SYSCALLS, .weight = 45 },
	{ USERS, .weight = 30 },
	{ STACK, .weight = 25 },
};

static const enum action keys[] = {
	ACTION_DRILL_IN, ACTION_GROUP_MENU, ACTION_SORT_NEXT,    ACTION_SORT_INVERT,
	ACTION_COLUMNS,  ACTION_DETAIL,     ACTION_STACK_HALVES,
};

static const struct view_def def = {
	.action = ACTION_VIEW_SYSCALLS,
	.title = "Syscalls",
	.help = "System calls with counts, times and failures; below, the processes that make "
		"the selected one, and where it waits.",
	VIEW_KEYS(keys),
	.wide = wide,
	.wide_count = sizeof(wide) / sizeof(wide[0]),
	.narrow = narrow,
	.narrow_count = sizeof(narrow) / sizeof(narrow[0]),
	.narrow_below_cols = 110,
};

static const struct totals_pane_def syscalls_def = {
	.name = "syscalls",
	.style = TOTALS_STYLE_SYSCALLS,
	.group = ENGINE_BY_SYSCALL,
	.groups = TOTALS_BY_ALL,
	.sort = TOTALS_TOTAL,
};

static const struct totals_pane_def users_def = {
	.name = "users",
	.style = TOTALS_STYLE_USERS,
	.group = ENGINE_BY_PROCESS,
	.groups = TOTALS_BY_OWNERS,
	.sort = TOTALS_TOTAL,
};

void syscalls_view_init(struct view *view)
{
	struct pane syscalls = totals_pane_new(&syscalls_def);
	const struct pane panes[PANE_COUNT] = {
		[PANE_SYSCALLS] = syscalls,
		[PANE_USERS] = totals_pane_new_users(&users_def, syscalls),
		[PANE_STACK] = stack_pane_new(),
	};

	view_init(view, &def, panes, PANE_COUNT);
}
