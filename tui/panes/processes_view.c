#include "tui/panes/processes_view.h"

#include "tui/panes/stack_pane.h"
#include "tui/view/totals_pane.h"

enum processes_view_pane { PANE_PROCESSES, PANE_SYSCALLS, PANE_STACK, PANE_COUNT };

#define PROCESSES \
	.kind = LAYOUT_PANE, .pane = PANE_PROCESSES, .min_rows = 4, .min_cols = 34, .keep = 3
#define SYSCALLS \
	.kind = LAYOUT_PANE, .pane = PANE_SYSCALLS, .min_rows = 4, .min_cols = 34, .keep = 1
#define STACK .kind = LAYOUT_PANE, .pane = PANE_STACK, .min_rows = 4, .min_cols = 20, .keep = 2

static const struct layout_node wide[] = {
	{ .kind = LAYOUT_ROWS, .first = 1, .count = 2, .weight = 1 },
	{ PROCESSES, .weight = 64 },
	{ .kind = LAYOUT_COLS, .first = 3, .count = 2, .weight = 36 },
	{ SYSCALLS, .weight = 50 },
	{ STACK, .weight = 50 },
};

static const struct layout_node narrow[] = {
	{ .kind = LAYOUT_ROWS, .first = 1, .count = 3, .weight = 1 },
	{ PROCESSES, .weight = 56 },
	{ SYSCALLS, .weight = 22 },
	{ STACK, .weight = 22 },
};

static const enum action keys[] = {
	ACTION_DRILL_IN, ACTION_TREE,       ACTION_THREADS,  ACTION_UNFOLD,
	ACTION_FOLD,     ACTION_UNFOLD_ALL, ACTION_FOLD_ALL, ACTION_GROUP_MENU,
	ACTION_COLUMNS,  ACTION_SORT_MENU,  ACTION_DETAIL,   ACTION_SIGNAL,
};

static const struct view_def def = {
	.action = ACTION_VIEW_PROCESSES,
	.title = "Processes",
	.help = "Processes that make calls, as a tree by parent or as a table, optionally with "
		"threads. A folded process shows the sums of its whole subtree, and Enter "
		"narrows to that subtree. Below: the system calls of the selected process, and "
		"where it waits.",
	VIEW_KEYS(keys),
	.wide = wide,
	.wide_count = sizeof(wide) / sizeof(wide[0]),
	.narrow = narrow,
	.narrow_count = sizeof(narrow) / sizeof(narrow[0]),
	.narrow_below_cols = 110,
};

static const struct totals_pane_def processes_def = {
	.name = "processes",
	.style = TOTALS_STYLE_PROCESSES,
	.group = ENGINE_BY_PROCESS,
	.groups = TOTALS_BY_ALL,
	.sort = TOTALS_BLOCKED,
	.tree = true,
};

static const struct totals_pane_def syscalls_def = {
	.name = "syscalls",
	.style = TOTALS_STYLE_SYSCALLS,
	.group = ENGINE_BY_SYSCALL,
	.groups = 0,
	.sort = TOTALS_TOTAL,
};

void processes_view_init(struct view *view)
{
	struct pane processes = totals_pane_new(&processes_def);
	const struct pane panes[PANE_COUNT] = {
		[PANE_PROCESSES] = processes,
		[PANE_SYSCALLS] = totals_pane_new_syscalls(&syscalls_def, processes),
		[PANE_STACK] = stack_pane_new(),
	};

	view_init(view, &def, panes, PANE_COUNT);
}
