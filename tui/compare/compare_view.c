#include "tui/compare/compare_view.h"

#include "tui/compare/change_pane.h"
#include "tui/compare/changes_pane.h"

enum compare_view_pane { PANE_CHANGES, PANE_PARTS, PANE_CHANGE, PANE_COUNT };

#define CHANGES .kind = LAYOUT_PANE, .pane = PANE_CHANGES, .min_rows = 4, .min_cols = 34, .keep = 3
#define PARTS .kind = LAYOUT_PANE, .pane = PANE_PARTS, .min_rows = 4, .min_cols = 34, .keep = 1
#define CHANGE .kind = LAYOUT_PANE, .pane = PANE_CHANGE, .min_rows = 5, .min_cols = 40, .keep = 2

static const struct layout_node wide[] = {
	{ .kind = LAYOUT_ROWS, .first = 1, .count = 2, .weight = 1 },
	{ CHANGES, .weight = 55 },
	{ .kind = LAYOUT_COLS, .first = 3, .count = 2, .weight = 45 },
	{ PARTS, .weight = 50 },
	{ CHANGE, .weight = 50 },
};

static const struct layout_node narrow[] = {
	{ .kind = LAYOUT_ROWS, .first = 1, .count = 3, .weight = 1 },
	{ CHANGES, .weight = 40 },
	{ PARTS, .weight = 22 },
	{ CHANGE, .weight = 38 },
};

static const enum action keys[] = {
	ACTION_COMPARE,   ACTION_DRILL_IN,    ACTION_GROUP_MENU, ACTION_OTHER_SIDE,
	ACTION_SORT_MENU, ACTION_SORT_INVERT, ACTION_COLUMNS,    ACTION_EXPORT,
};

static const struct view_def def = {
	.action = ACTION_VIEW_COMPARE,
	.title = "Compare",
	.help = "Changes between two recordings, A and B, or between a recording and live calls: "
		"each figure before and after, and in words the statistically significant changes. "
		"Below: callers of the selected call and its durations on both sides. The filter "
		"applies to both; Enter narrows to the row's calls on the side that is explored.",
	VIEW_KEYS(keys),
	.wide = wide,
	.wide_count = sizeof(wide) / sizeof(wide[0]),
	.narrow = narrow,
	.narrow_count = sizeof(narrow) / sizeof(narrow[0]),
	.narrow_below_cols = 110,
};

void compare_view_init(struct view *view)
{
	struct pane changes = changes_pane_new(), parts = changes_pane_new_parts(changes);
	const struct pane panes[PANE_COUNT] = {
		[PANE_CHANGES] = changes,
		[PANE_PARTS] = parts,
		[PANE_CHANGE] = change_pane_new(changes, parts),
	};

	view_init(view, &def, panes, PANE_COUNT);
}
