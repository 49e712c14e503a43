#include "tui/panes/blocked_view.h"

#include "tui/panes/blocked_pane.h"
#include "tui/panes/stack_pane.h"

enum blocked_view_pane { PANE_BLOCKED, PANE_STACK, PANE_COUNT };

/* clang-format off */
static const struct layout_node wide[] = {
	{ .kind = LAYOUT_ROWS, .first = 1, .count = 2, .weight = 1 },
	{ .kind = LAYOUT_PANE, .pane = PANE_BLOCKED, .min_rows = 4, .min_cols = 34, .keep = 2,
	  .weight = 55 },
	{ .kind = LAYOUT_PANE, .pane = PANE_STACK, .min_rows = 4, .min_cols = 20, .keep = 1,
	  .weight = 45 },
};
/* clang-format on */

static const enum action keys[] = {
	ACTION_DRILL_IN,  ACTION_IDLE,         ACTION_SORT_NEXT,       ACTION_SAME_PREVIOUS,
	ACTION_SAME_NEXT, ACTION_STACK_HALVES, ACTION_STACK_ADDRESSES, ACTION_SIGNAL,
};

static const struct view_def def = {
	.action = ACTION_VIEW_BLOCKED,
	.title = "Blocked",
	.help = "Calls in flight, oldest first, and the stack where the selected one waits. "
		"Threads that hung before tracing began are listed too.",
	VIEW_KEYS(keys),
	.wide = wide,
	.wide_count = sizeof(wide) / sizeof(wide[0]),
};

void blocked_view_init(struct view *view)
{
	const struct pane panes[PANE_COUNT] = {
		[PANE_BLOCKED] = blocked_pane_new(),
		[PANE_STACK] = stack_pane_new(),
	};

	view_init(view, &def, panes, PANE_COUNT);
}
