/*
 * layout - divides the screen into panes.
 *
 * A layout is a tree of nodes in an array: [0] is the root, the children of a node are contiguous.
 * LAYOUT_ROWS stacks its children. LAYOUT_COLS sets them side by side, separated by a line of one
 * column. Space is divided by weight, never below min_rows × min_cols. While not all panes
 * fit, a pane that frees the missing space is folded away: the one with the lowest .keep, and among
 * equals the last one. The focused pane is never folded away. Zooming shows only the focused pane.
 * Dragging a border changes weights. UI thread only.
 */
#ifndef WIDGETS_LAYOUT_H
#define WIDGETS_LAYOUT_H

#include "widgets/canvas/canvas.h"

#define LAYOUT_MAX_NODES 16

enum layout_kind { LAYOUT_PANE, LAYOUT_ROWS, LAYOUT_COLS };

struct layout_node {
	enum layout_kind kind;
	int weight; /* share among its siblings, >= 1 (0 counts as 1) */
	int pane; /* LAYOUT_PANE: chosen by the caller, >= 0 */
	int min_rows, min_cols; /* LAYOUT_PANE; values below 1 count as 1 */
	int keep; /* LAYOUT_PANE: priority; the lowest is folded away first */
	bool hidden; /* LAYOUT_PANE: switched off by the caller */
	int first, count; /* children: nodes[first .. first + count - 1] */
};

struct layout {
	struct layout_node nodes[LAYOUT_MAX_NODES];
	struct rect rects[LAYOUT_MAX_NODES]; /* empty: folded away */
	int count;
	int focus; /* pane number */
	bool zoomed;
};

/* Copy count nodes; the first pane gets the focus. */
void layout_init(struct layout *layout, const struct layout_node *nodes, int count);
void layout_arrange(struct layout *layout, struct rect area);

struct rect layout_pane(const struct layout *layout, int pane); /* empty: not shown */
bool layout_is_shown(const struct layout *layout, int pane);
int layout_pane_at(const struct layout *layout, int row, int col); /* pane number, or -1 */
void layout_set_hidden(struct layout *layout, int pane, bool hidden);

/*
 * Move the focus among all panes that are not hidden, including folded ones. The next
 * layout_arrange() shows a focused pane that was folded.
 */
void layout_focus_step(struct layout *layout, int step);

/* Draw the lines between columns. The area of layout_arrange() is in positions of this canvas. */
void layout_draw_borders(const struct layout *layout, struct canvas *canvas);

/*
 * Return a handle of the border at a position, or -1. A border is the line between columns, or the
 * first row (title) of a lower pane. layout_drag() moves it to a position; the next
 * layout_arrange() applies the new weights.
 */
int layout_border_at(const struct layout *layout, int row, int col);
void layout_drag(struct layout *layout, int border, int row, int col);

#endif
