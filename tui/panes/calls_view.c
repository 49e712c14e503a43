#include "tui/panes/calls_view.h"

#include "tui/panes/calls_pane.h"
#include "tui/panes/stack_pane.h"

enum calls_view_pane { PANE_CALLS, PANE_STACK, PANE_COUNT };

/* clang-format off */
static const struct layout_node wide[] = {
	{ .kind = LAYOUT_ROWS, .first = 1, .count = 2, .weight = 1 },
	{ .kind = LAYOUT_PANE, .pane = PANE_CALLS, .min_rows = 4, .min_cols = 34, .keep = 2,
	  .weight = 70 },
	{ .kind = LAYOUT_PANE, .pane = PANE_STACK, .min_rows = 4, .min_cols = 20, .keep = 1,
	  .weight = 30 },
};
/* clang-format on */

static const enum action keys[] = {
	ACTION_DRILL_IN,      ACTION_FOLLOW,    ACTION_DETAIL,       ACTION_WAKER,
	ACTION_SAME_PREVIOUS, ACTION_SAME_NEXT, ACTION_STACK_HALVES, ACTION_STACK_ADDRESSES,
};

static const struct view_def def = {
	.action = ACTION_VIEW_CALLS,
	.title = "Calls",
	.help = "Calls in order of their return, calls in flight last, and the stack where the "
		"selected one waited.",
	VIEW_KEYS(keys),
	.wide = wide,
	.wide_count = sizeof(wide) / sizeof(wide[0]),
};

void calls_view_init(struct view *view)
{
	const struct pane panes[PANE_COUNT] = {
		[PANE_CALLS] = calls_pane_new(),
		[PANE_STACK] = stack_pane_new(),
	};

	view_init(view, &def, panes, PANE_COUNT);
}
