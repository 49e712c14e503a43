#include "tui/panes/futexes_view.h"

#include "tui/panes/futex_waits_pane.h"
#include "tui/panes/futexes_pane.h"
#include "tui/panes/stack_pane.h"

enum futexes_view_pane { PANE_FUTEXES, PANE_WAITS, PANE_BLOCKED, PANE_WAKER, PANE_COUNT };

#define FUTEXES .kind = LAYOUT_PANE, .pane = PANE_FUTEXES, .min_rows = 4, .min_cols = 34, .keep = 4
#define WAITS .kind = LAYOUT_PANE, .pane = PANE_WAITS, .min_rows = 4, .min_cols = 34, .keep = 3
#define BLOCKED .kind = LAYOUT_PANE, .pane = PANE_BLOCKED, .min_rows = 4, .min_cols = 20, .keep = 2
#define WAKER .kind = LAYOUT_PANE, .pane = PANE_WAKER, .min_rows = 4, .min_cols = 20, .keep = 1

static const struct layout_node wide[] = {
	{ .kind = LAYOUT_ROWS, .first = 1, .count = 3, .weight = 1 },
	{ FUTEXES, .weight = 34 },
	{ WAITS, .weight = 30 },
	{ .kind = LAYOUT_COLS, .first = 4, .count = 2, .weight = 36 },
	{ BLOCKED, .weight = 50 },
	{ WAKER, .weight = 50 },
};

static const enum action keys[] = {
	ACTION_DRILL_IN,  ACTION_BACK,          ACTION_OWNER,           ACTION_IDLE,
	ACTION_WAKER,     ACTION_SAME_PREVIOUS, ACTION_SAME_NEXT,       ACTION_DETAIL,
	ACTION_SORT_NEXT, ACTION_STACK_HALVES,  ACTION_STACK_ADDRESSES,
};

static const struct view_def def = {
	.action = ACTION_VIEW_FUTEXES,
	.title = "Futexes",
	.help = "Futexes of the calls that match the filter: how long threads waited, how many "
		"wait now, and the lock owner. Below: the waits on the selected futex; for the "
		"selected wait, the stack where it blocked and the stack of its waker. "
		"Deadlocked threads are listed at the top.",
	VIEW_KEYS(keys),
	.wide = wide,
	.wide_count = sizeof(wide) / sizeof(wide[0]),
	.drills = true,
};

void futexes_view_init(struct view *view)
{
	struct pane futexes = futexes_pane_new();
	const struct pane panes[PANE_COUNT] = {
		[PANE_FUTEXES] = futexes,
		[PANE_WAITS] = futex_waits_pane_new(futexes.self),
		[PANE_BLOCKED] = stack_pane_new(),
		[PANE_WAKER] = stack_pane_new_of_waker(),
	};

	view_init(view, &def, panes, PANE_COUNT);
}

uint32_t futexes_view_owner(struct view *view)
{
	return futexes_pane_owner(view->panes[PANE_FUTEXES].self);
}
