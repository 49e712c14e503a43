#include "widgets/layout.h"

#include <assert.h>

struct size {
	int rows, cols;
};

static int at_least_1(int value)
{
	return value > 1 ? value : 1;
}

void layout_init(struct layout *layout, const struct layout_node *nodes, int count)
{
	assert(count >= 1 && count <= LAYOUT_MAX_NODES);
	*layout = (struct layout){ .count = count, .focus = -1 };
	for (int i = 0; i < count; i++) {
		layout->nodes[i] = nodes[i];
		layout->nodes[i].weight = at_least_1(nodes[i].weight);
		if (nodes[i].kind == LAYOUT_PANE && layout->focus < 0)
			layout->focus = nodes[i].pane;
	}
}

static int find_pane(const struct layout *layout, int pane)
{
	for (int i = 0; i < layout->count; i++)
		if (layout->nodes[i].kind == LAYOUT_PANE && layout->nodes[i].pane == pane)
			return i;
	return -1;
}

/* ---- choice of panes ---- */

static bool has_shown(const struct layout *layout, const bool *shown, int index)
{
	const struct layout_node *node = &layout->nodes[index];

	if (node->kind == LAYOUT_PANE)
		return shown[index];
	for (int i = node->first; i < node->first + node->count; i++)
		if (has_shown(layout, shown, i))
			return true;
	return false;
}

static struct size min_size(const struct layout *layout, const bool *shown, int index)
{
	const struct layout_node *node = &layout->nodes[index];
	struct size size = { 0, 0 };
	int children = 0;

	if (node->kind == LAYOUT_PANE)
		return (struct size){ at_least_1(node->min_rows), at_least_1(node->min_cols) };
	for (int i = node->first; i < node->first + node->count; i++) {
		struct size child;

		if (!has_shown(layout, shown, i))
			continue;
		child = min_size(layout, shown, i);
		if (node->kind == LAYOUT_ROWS) {
			size.rows += child.rows;
			size.cols = child.cols > size.cols ? child.cols : size.cols;
		} else {
			size.cols += child.cols + (children ? 1 : 0);
			size.rows = child.rows > size.rows ? child.rows : size.rows;
		}
		children++;
	}
	return size;
}

/*
 * Return the pane to fold away. Prefer a pane that frees space in a dimension that is too small;
 * among these, the pane with the lowest .keep.
 */
static int worst_pane(const struct layout *layout, bool *shown, struct rect area)
{
	struct size now = min_size(layout, shown, 0);
	int worst = -1;
	bool worst_helps = false;

	for (int i = 0; i < layout->count; i++) {
		const struct layout_node *node = &layout->nodes[i];
		struct size without;
		bool helps;

		if (!shown[i] || node->pane == layout->focus)
			continue;
		shown[i] = false;
		without = min_size(layout, shown, 0);
		shown[i] = true;
		helps = (now.rows > area.rows && without.rows < now.rows) ||
			(now.cols > area.cols && without.cols < now.cols);
		if (worst < 0 || (helps && !worst_helps) ||
		    (helps == worst_helps && node->keep <= layout->nodes[worst].keep)) {
			worst = i;
			worst_helps = helps;
		}
	}
	return worst;
}

static void choose_panes(const struct layout *layout, struct rect area, bool *shown)
{
	for (int i = 0; i < layout->count; i++) {
		const struct layout_node *node = &layout->nodes[i];
		bool focused = node->pane == layout->focus;

		shown[i] = node->kind == LAYOUT_PANE &&
			   (focused || (!node->hidden && !layout->zoomed));
	}
	for (;;) {
		struct size size = min_size(layout, shown, 0);
		int worst;

		if (size.rows <= area.rows && size.cols <= area.cols)
			return;
		worst = worst_pane(layout, shown, area);
		if (worst < 0)
			return;
		shown[worst] = false;
	}
}

/* ---- division of space ---- */

/*
 * Divide extent among the children by weight. A child that would get less than its minimum gets its
 * minimum; the other children share the remainder. Takes at most one round per child.
 */
static void divide(const struct layout *layout, const bool *shown, const struct layout_node *node,
		   int extent, int sizes[LAYOUT_MAX_NODES])
{
	bool fixed[LAYOUT_MAX_NODES] = { false };
	int weights, left;
	bool again;

	do {
		int sum = 0, given = 0;

		again = false;
		weights = 0;
		left = extent;
		for (int i = node->first; i < node->first + node->count; i++) {
			if (!has_shown(layout, shown, i))
				continue;
			if (fixed[i])
				left -= sizes[i];
			else
				weights += layout->nodes[i].weight;
		}
		for (int i = node->first; i < node->first + node->count; i++) {
			struct size min = min_size(layout, shown, i);
			int least = node->kind == LAYOUT_ROWS ? min.rows : min.cols;

			if (!has_shown(layout, shown, i) || fixed[i])
				continue;
			sum += layout->nodes[i].weight;
			sizes[i] = (int)((long)left * sum / weights) - given;
			given += sizes[i];
			if (sizes[i] < least) {
				sizes[i] = least;
				fixed[i] = again = true;
				break;
			}
		}
	} while (again);
}

static void place(struct layout *layout, const bool *shown, int index, struct rect area)
{
	const struct layout_node *node = &layout->nodes[index];
	int sizes[LAYOUT_MAX_NODES] = { 0 }, children = 0, at;

	layout->rects[index] = area;
	if (node->kind == LAYOUT_PANE)
		return;
	for (int i = node->first; i < node->first + node->count; i++)
		children += has_shown(layout, shown, i);
	divide(layout, shown, node,
	       node->kind == LAYOUT_ROWS ? area.rows : area.cols - (children - 1), sizes);
	at = node->kind == LAYOUT_ROWS ? area.row : area.col;
	for (int i = node->first; i < node->first + node->count; i++) {
		if (!has_shown(layout, shown, i))
			continue;
		if (node->kind == LAYOUT_ROWS) {
			place(layout, shown, i,
			      rect_intersect(area,
					     (struct rect){ at, area.col, sizes[i], area.cols }));
			at += sizes[i];
		} else {
			place(layout, shown, i,
			      rect_intersect(area,
					     (struct rect){ area.row, at, area.rows, sizes[i] }));
			at += sizes[i] + 1;
		}
	}
}

void layout_arrange(struct layout *layout, struct rect area)
{
	bool shown[LAYOUT_MAX_NODES];

	for (int i = 0; i < layout->count; i++)
		layout->rects[i] = (struct rect){ 0, 0, 0, 0 };
	choose_panes(layout, area, shown);
	place(layout, shown, 0, area);
}

/* ---- queries ---- */

struct rect layout_pane(const struct layout *layout, int pane)
{
	int index = find_pane(layout, pane);

	return index < 0 ? (struct rect){ 0, 0, 0, 0 } : layout->rects[index];
}

bool layout_is_shown(const struct layout *layout, int pane)
{
	return !rect_is_empty(layout_pane(layout, pane));
}

int layout_pane_at(const struct layout *layout, int row, int col)
{
	for (int i = 0; i < layout->count; i++)
		if (layout->nodes[i].kind == LAYOUT_PANE &&
		    rect_contains(layout->rects[i], row, col))
			return layout->nodes[i].pane;
	return -1;
}

void layout_set_hidden(struct layout *layout, int pane, bool hidden)
{
	int index = find_pane(layout, pane);

	if (index < 0)
		return;
	layout->nodes[index].hidden = hidden;
	if (hidden && layout->focus == pane)
		layout_focus_step(layout, 1);
}

void layout_focus_step(struct layout *layout, int step)
{
	int at = find_pane(layout, layout->focus);

	for (int tries = 0; tries < layout->count; tries++) {
		at = (at + (step < 0 ? layout->count - 1 : 1)) % layout->count;
		if (layout->nodes[at].kind == LAYOUT_PANE && !layout->nodes[at].hidden) {
			layout->focus = layout->nodes[at].pane;
			return;
		}
	}
}

/* ---- borders ---- */

/* Return the parent of index, -1 for the root. *previous is the preceding shown sibling, or -1. */
static int find_parent(const struct layout *layout, int index, int *previous)
{
	*previous = -1;
	for (int i = 0; i < layout->count; i++) {
		const struct layout_node *node = &layout->nodes[i];

		if (node->kind == LAYOUT_PANE || index < node->first ||
		    index >= node->first + node->count)
			continue;
		for (int j = node->first; j < index; j++)
			if (!rect_is_empty(layout->rects[j]))
				*previous = j;
		return i;
	}
	return -1;
}

void layout_draw_borders(const struct layout *layout, struct canvas *canvas)
{
	for (int i = 0; i < layout->count; i++) {
		struct rect rect = layout->rects[i];
		int previous, parent = find_parent(layout, i, &previous);

		if (parent >= 0 && previous >= 0 && !rect_is_empty(rect) &&
		    layout->nodes[parent].kind == LAYOUT_COLS)
			canvas_vline(canvas, rect.row, rect.col - 1, rect.rows, ROLE_BORDER);
	}
}

int layout_border_at(const struct layout *layout, int row, int col)
{
	for (int i = 0; i < layout->count; i++) {
		struct rect rect = layout->rects[i];
		int previous, parent = find_parent(layout, i, &previous);

		if (parent < 0 || previous < 0 || rect_is_empty(rect))
			continue;
		if (layout->nodes[parent].kind == LAYOUT_COLS
			    ? col == rect.col - 1 && row >= rect.row && row < rect.row + rect.rows
			    : row == rect.row && col >= rect.col && col < rect.col + rect.cols)
			return i;
	}
	return -1;
}

void layout_drag(struct layout *layout, int border, int row, int col)
{
	int previous, parent = find_parent(layout, border, &previous);
	int shown_cells = 0, shown_weight = 0, moved;
	bool stacked;

	if (parent < 0 || previous < 0 || rect_is_empty(layout->rects[border]))
		return;
	stacked = layout->nodes[parent].kind == LAYOUT_ROWS;
	moved = stacked ? row - layout->rects[border].row : col - (layout->rects[border].col - 1);
	for (int i = 0; i < layout->nodes[parent].count; i++) {
		int child = layout->nodes[parent].first + i;

		if (rect_is_empty(layout->rects[child]))
			continue;
		shown_cells += stacked ? layout->rects[child].rows : layout->rects[child].cols;
		shown_weight += layout->nodes[child].weight;
	}
	/* Convert weights to cells, keeping the ratio between folded and shown panes. */
	for (int i = 0; i < layout->nodes[parent].count; i++) {
		int child = layout->nodes[parent].first + i;
		struct rect rect = layout->rects[child];
		int *weight = &layout->nodes[child].weight;

		if (rect_is_empty(rect))
			*weight = at_least_1(*weight * shown_cells / shown_weight);
		else
			*weight = stacked ? rect.rows : rect.cols;
	}
	if (moved > layout->nodes[border].weight - 1)
		moved = layout->nodes[border].weight - 1;
	if (-moved > layout->nodes[previous].weight - 1)
		moved = 1 - layout->nodes[previous].weight;
	layout->nodes[previous].weight += moved;
	layout->nodes[border].weight -= moved;
}
