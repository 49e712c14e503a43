/*
 * layout - divides the screen into panes.
 *
 * A layout is a tree of nodes in an array: [0] is the root, the children of a node follow each
 * other. LAYOUT_ROWS stacks its children, LAYOUT_COLS sets them side by side with a line
 * of one column between. Space goes by weight, never below min_rows × min_cols; while not
 * everything fits, the pane with the lowest keep is folded away (later ones first among equals),
 * but never the focused one. Zooming shows the focused pane alone. Dragging a border
 * changes weights. UI thread only.
 */
#ifndef WIDGETS_LAYOUT_H
#define WIDGETS_LAYOUT_H

#include "widgets/canvas/canvas.h"

#define LAYOUT_MAX_NODES 16

enum layout_kind { LAYOUT_PANE, LAYOUT_ROWS, LAYOUT_COLS };

struct layout_node {
	enum layout_kind kind;
	int weight; /* share among its siblings, >= 1 (0 is taken as 1) */
	int pane; /* LAYOUT_PANE: the caller's number, >= 0 */
	int min_rows, min_cols; /* LAYOUT_PANE; below 1: 1 */
	int keep; /* LAYOUT_PANE: the higher, the longer it stays */
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

/* Copies count nodes; the focus goes to the first pane. */
void layout_init(struct layout *layout, const struct layout_node *nodes, int count);
void layout_arrange(struct layout *layout, struct rect area);

struct rect layout_pane(const struct layout *layout, int pane); /* empty: not shown */
bool layout_is_shown(const struct layout *layout, int pane);
int layout_pane_at(const struct layout *layout, int row, int col); /* pane number, or -1 */
void layout_set_hidden(struct layout *layout, int pane, bool hidden);

/* Moves the focus among all panes that are not hidden, folded ones too (arrange shows them). */
void layout_focus_step(struct layout *layout, int step);

/* The lines between columns, on the canvas that the area belongs to. */
void layout_draw_borders(const struct layout *layout, struct canvas *canvas);

/*
 * A border that can be dragged: the line between columns, or the first row (title) of a
 * lower pane. Returns a handle or -1; layout_drag moves that border to a position and
 * rearranges at the next layout_arrange.
 */
int layout_border_at(const struct layout *layout, int row, int col);
void layout_drag(struct layout *layout, int border, int row, int col);

#endif
