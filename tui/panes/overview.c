#include "tui/panes/overview.h"

#include "tui/panes/calls_pane.h"
#include "tui/panes/stack_pane.h"
#include "tui/view/totals_pane.h"

enum overview_pane { PANE_PROCESSES, PANE_CALLS, PANE_STACK, PANE_COUNT };

#define PROCESSES \
	.kind = LAYOUT_PANE, .pane = PANE_PROCESSES, .min_rows = 4, .min_cols = 34, .keep = 3
#define CALLS .kind = LAYOUT_PANE, .pane = PANE_CALLS, .min_rows = 4, .min_cols = 34, .keep = 2
#define STACK .kind = LAYOUT_PANE, .pane = PANE_STACK, .min_rows = 4, .min_cols = 20, .keep = 1

/* Processes beside calls, the stack below both. */
static const struct layout_node wide[] = {
	{ .kind = LAYOUT_ROWS, .first = 1, .count = 2, .weight = 1 },
	{ .kind = LAYOUT_COLS, .first = 3, .count = 2, .weight = 60 },
	{ STACK, .weight = 40 },
	{ PROCESSES, .weight = 48 },
	{ CALLS, .weight = 52 },
};

/* Panes below each other if two do not fit side by side. */
static const struct layout_node narrow[] = {
	{ .kind = LAYOUT_ROWS, .first = 1, .count = 3, .weight = 1 },
	{ PROCESSES, .weight = 34 },
	{ CALLS, .weight = 38 },
	{ STACK, .weight = 28 },
};

static const enum action keys[] = {
	ACTION_DRILL_IN,      ACTION_BACK,      ACTION_GROUP_MENU,
	ACTION_FOLLOW,        ACTION_DETAIL,    ACTION_WAKER,
	ACTION_SAME_PREVIOUS, ACTION_SAME_NEXT, ACTION_STACK_HALVES,
};

static const struct view_def def = {
	.action = ACTION_VIEW_OVERVIEW,
	.title = "Overview",
	.help = "Processes that make calls; calls in order of their return, calls in flight "
		"last; and where the selected row waits: the waits of a process as one tree, or "
		"the stack of one call.",
	VIEW_KEYS(keys),
	.wide = wide,
	.wide_count = sizeof(wide) / sizeof(wide[0]),
	.narrow = narrow,
	.narrow_count = sizeof(narrow) / sizeof(narrow[0]),
	.narrow_below_cols = 110,
};

static const struct totals_pane_def processes = {
	.name = "processes",
	.style = TOTALS_STYLE_OVERVIEW,
	.group = ENGINE_BY_PROCESS,
	.groups = TOTALS_BY_ALL,
	.sort = TOTALS_BLOCKED,
};

void overview_init(struct view *view)
{
	const struct pane panes[PANE_COUNT] = {
		[PANE_PROCESSES] = totals_pane_new(&processes),
		[PANE_CALLS] = calls_pane_new(),
		[PANE_STACK] = stack_pane_new(),
	};

	view_init(view, &def, panes, PANE_COUNT);
}

struct pane *overview_focus_calls(struct view *view)
{
	view->layout.focus = PANE_CALLS;
	return &view->panes[PANE_CALLS];
}
