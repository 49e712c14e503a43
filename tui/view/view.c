#include "tui/view/view.h"

#include <string.h>

#define WHEEL_ROWS 3
#define WEIGHT_SCALE 100
#define WEIGHT_MIN 200
#define WEIGHT_MAX 100000

/* Switch the layout: store the weights of the previous one, and restore those of the new one. */
static void take_layout(struct view *view, bool narrow)
{
	const struct view_def *def = view->def;

	for (int i = 0; i < view->layout.count; i++)
		view->weights[view->is_narrow][i] = view->layout.nodes[i].weight;
	view->is_narrow = narrow;
	layout_init(&view->layout, narrow ? def->narrow : def->wide,
		    narrow ? def->narrow_count : def->wide_count);
	for (int i = 0; i < view->layout.count; i++)
		if (view->weights[narrow][i])
			view->layout.nodes[i].weight = view->weights[narrow][i];
}

static int weight_of(const struct view *view, bool narrow, int node)
{
	const struct layout_node *nodes = narrow ? view->def->narrow : view->def->wide;

	if (narrow == view->is_narrow)
		return view->layout.nodes[node].weight;
	return view->weights[narrow][node] ? view->weights[narrow][node] : nodes[node].weight;
}

int view_weights(const struct view *view, int weights[2 * LAYOUT_MAX_NODES])
{
	const struct view_def *def = view->def;
	bool changed = false;
	int count = 0;

	/* Node 0 is the root. */
	for (int i = 1; i < def->wide_count; i++) {
		weights[count] = weight_of(view, false, i);
		changed |= weights[count++] != def->wide[i].weight;
	}
	for (int i = 1; def->narrow && i < def->narrow_count; i++) {
		weights[count] = weight_of(view, true, i);
		changed |= weights[count++] != def->narrow[i].weight;
	}
	return changed ? count : 0;
}

bool view_set_weights(struct view *view, const int *weights, int count)
{
	const struct view_def *def = view->def;
	int wide = def->wide_count - 1, narrow = def->narrow ? def->narrow_count - 1 : 0;

	if (count != wide + narrow)
		return false;
	for (int i = 0; i < wide; i++)
		view->weights[0][i + 1] = weights[i];
	for (int i = 0; i < narrow; i++)
		view->weights[1][i + 1] = weights[wide + i];
	for (int i = 1; i < view->layout.count; i++)
		view->layout.nodes[i].weight = view->weights[view->is_narrow][i];
	return true;
}

void view_init(struct view *view, const struct view_def *def, const struct pane *panes,
	       int pane_count)
{
	memset(view, 0, sizeof(*view));
	view->def = def;
	view->pane_count = pane_count;
	view->dragged = -1;
	memcpy(view->panes, panes, sizeof(*panes) * (size_t)pane_count);
	take_layout(view, false);
	view->layout.focus = 0;
}

void view_release(struct view *view)
{
	for (int i = 0; i < view->pane_count; i++)
		view->panes[i].ops->free(view->panes[i].self);
	view->pane_count = 0;
}

struct pane *view_focused(struct view *view)
{
	return &view->panes[view->layout.focus];
}

struct pane *view_sortable(struct view *view)
{
	if (view_focused(view)->ops->sort_by)
		return view_focused(view);
	for (int i = 0; i < view->pane_count; i++)
		if (view->panes[i].ops->sort_by)
			return &view->panes[i];
	return NULL;
}

static bool pane_selection(struct pane *pane, struct session *session, struct selection *selection,
			   struct call *call, bool *has_call)
{
	memset(selection, 0, sizeof(*selection));
	*has_call = false;
	return pane->ops->selection &&
	       pane->ops->selection(pane->self, session, selection, call, has_call);
}

/*
 * Keys act on the selection of the pane that was last used to select. Stack panes would flicker if
 * they followed the end of a stream. They show the subject: a row that the user chose, in that
 * pane, or else in the first pane that has one.
 */
static void take_selection(struct view *view, struct session *session)
{
	struct call call;
	bool has_call;

	if (view_focused(view)->ops->selection)
		view->subject = view->layout.focus;
	pane_selection(&view->panes[view->subject], session, &session->selection, &call, &has_call);
	session->subject = session->selection;
	for (int i = 0; i < view->pane_count && !session->subject.chosen; i++)
		pane_selection(&view->panes[i], session, &session->subject, &call, &has_call);
	session->has_subject_call = session->subject.chosen && has_call;
	if (session->has_subject_call)
		session->subject_call = call;
}

/* A pause freezes the visible view. Any other view reads its data once when it is opened. */
static void note_late(struct view *view, struct session *session)
{
	if (!session->paused) {
		view->live_ns = session->live_ns = session->clock_ns;
		view->late_ns = 0;
	} else if (view->live_ns != session->live_ns) {
		view->live_ns = session->live_ns;
		view->late_ns = session->clock_ns;
	}
	/* While a recording moves to another time, there is nothing to read. */
	session->late_ns = session->moving ? 0 : view->late_ns;
}

void view_refresh(struct view *view, struct session *session)
{
	bool taken = false;

	note_late(view, session);
	for (int i = 0; i < view->pane_count; i++) {
		/* Panes that provide a selection come before those that show it. */
		if (!view->panes[i].ops->selection && !taken) {
			take_selection(view, session);
			taken = true;
		}
		view->panes[i].ops->refresh(view->panes[i].self, session);
	}
	if (!taken)
		take_selection(view, session);
}

static void arrange(struct view *view, struct rect area)
{
	bool narrow = view->def->narrow && area.cols < view->def->narrow_below_cols;

	if (narrow != view->is_narrow) {
		int focus = view->layout.focus;
		bool zoomed = view->layout.zoomed;

		take_layout(view, narrow);
		view->layout.focus = focus;
		view->layout.zoomed = zoomed;
	}
	view->area = area;
	layout_arrange(&view->layout, area);
}

void view_draw(struct view *view, struct session *session, struct canvas *canvas, struct rect area)
{
	arrange(view, area);
	for (int i = 0; i < view->pane_count; i++) {
		struct rect rect = layout_pane(&view->layout, i);
		struct canvas sub;

		if (rect_is_empty(rect))
			continue;
		sub = canvas_sub(canvas, rect);
		view->panes[i].ops->draw(view->panes[i].self, session, &sub,
					 i == view->layout.focus);
	}
	layout_draw_borders(&view->layout, canvas);
}

/* Make weights finer for resizing: they are small numbers or, after a drag, columns or rows. */
static void scale_siblings(struct layout *layout, int node)
{
	for (int i = 0; i < layout->count; i++) {
		const struct layout_node *parent = &layout->nodes[i];

		if (parent->kind == LAYOUT_PANE || node < parent->first ||
		    node >= parent->first + parent->count)
			continue;
		for (int j = parent->first; j < parent->first + parent->count; j++)
			layout->nodes[j].weight *= WEIGHT_SCALE;
	}
}

/* Grow or shrink the focused pane within the space that it shares with its siblings. */
static void resize_pane(struct view *view, bool grow)
{
	struct layout *layout = &view->layout;

	for (int i = 0; i < layout->count; i++) {
		struct layout_node *node = &layout->nodes[i];

		if (node->kind != LAYOUT_PANE || node->pane != layout->focus)
			continue;
		if (node->weight < WEIGHT_MIN)
			scale_siblings(layout, i);
		node->weight = grow ? node->weight * 6 / 5 : node->weight * 5 / 6;
		if (node->weight > WEIGHT_MAX)
			node->weight = WEIGHT_MAX;
		if (node->weight < WEIGHT_MIN)
			node->weight = WEIGHT_MIN;
		return;
	}
}

/* A zoomed view stays zoomed and shows the newly focused pane. */
static bool drill(struct view *view, enum action action)
{
	int focus = view->layout.focus + (action == ACTION_DRILL_IN ? 1 : -1);

	if (!view->def->drills || focus < 0 || focus >= view->pane_count)
		return false;
	view->layout.focus = focus;
	return true;
}

/* "Back" first stops running work. */
static bool stop_work(struct view *view, struct session *session)
{
	bool stopped = false;

	for (int i = 0; i < view->pane_count; i++)
		if (view->panes[i].ops->stop)
			stopped |= view->panes[i].ops->stop(view->panes[i].self, session);
	return stopped;
}

bool view_act(struct view *view, struct session *session, enum action action)
{
	struct pane *pane = view_focused(view);

	session->dirty = true;
	switch (action) {
	case ACTION_NEXT_PANE:
		layout_focus_step(&view->layout, 1);
		return true;
	case ACTION_PREVIOUS_PANE:
		layout_focus_step(&view->layout, -1);
		return true;
	case ACTION_ZOOM_PANE:
		view->layout.zoomed = !view->layout.zoomed;
		return true;
	case ACTION_GROW_PANE:
	case ACTION_SHRINK_PANE:
		resize_pane(view, action == ACTION_GROW_PANE);
		return true;
	case ACTION_BACK:
		if (stop_work(view, session))
			return true;
		if (!view->layout.zoomed)
			return drill(view, action);
		view->layout.zoomed = false;
		return true;
	default:
		break;
	}
	if (pane->ops->act(pane->self, session, action))
		return true;
	if (action == ACTION_DRILL_IN && drill(view, action))
		return true;
	/* An action that only one pane handles works from every pane. */
	for (int i = 0; i < view->pane_count; i++) {
		enum move move;

		if (&view->panes[i] == pane || pane_move(action, &move) ||
		    action_group(action) == ACTION_GROUP_FOLD || action == ACTION_DRILL_IN)
			continue;
		if (view->panes[i].ops->act(view->panes[i].self, session, action))
			return true;
	}
	return false;
}

/* True below the title and the table header, except on a fold sign. */
static bool is_row(const struct pane *pane, int row, int col)
{
	bool has_header = pane->ops->table && !pane->ops->table(pane->self)->no_header;

	if (pane->ops->is_sign && pane->ops->is_sign(pane->self, row, col))
		return false;
	return row > (has_header ? 1 : 0);
}

static bool press(struct view *view, struct session *session, const struct input_event *event)
{
	int row = event->mouse.row, col = event->mouse.col;
	int number;
	struct rect rect;

	view->dragged = layout_border_at(&view->layout, row, col);
	number = layout_pane_at(&view->layout, row, col);
	if (number < 0)
		return false;
	rect = layout_pane(&view->layout, number);
	view->layout.focus = number;
	view->panes[number].ops->click(view->panes[number].self, session, row - rect.row,
				       col - rect.col);
	return event->mouse.twice && is_row(&view->panes[number], row - rect.row, col - rect.col);
}

static void drag(struct view *view, struct session *session, int row, int col)
{
	struct pane *pane = view_focused(view);
	struct rect rect = layout_pane(&view->layout, view->layout.focus);

	if (pane->ops->drag)
		pane->ops->drag(pane->self, session, row - rect.row, col - rect.col);
}

bool view_mouse(struct view *view, struct session *session, const struct input_event *event)
{
	int row = event->mouse.row, col = event->mouse.col;
	int number = layout_pane_at(&view->layout, row, col);

	session->dirty = true;
	switch (event->mouse.action) {
	case MOUSE_PRESS:
		return event->mouse.button == 1 && press(view, session, event);
	case MOUSE_DRAG:
		if (view->dragged >= 0)
			layout_drag(&view->layout, view->dragged, row, col);
		else
			drag(view, session, row, col);
		break;
	case MOUSE_RELEASE:
		view->dragged = -1;
		break;
	case MOUSE_WHEEL_UP:
	case MOUSE_WHEEL_DOWN:
		if (number >= 0)
			view->panes[number].ops->wheel(
				view->panes[number].self, session,
				event->mouse.action == MOUSE_WHEEL_UP ? -WHEEL_ROWS : WHEEL_ROWS);
		break;
	}
	return false;
}
