/*
 * view - panes in a layout, for example the Overview.
 *
 * Owns its panes. A view may have a second layout for narrow terminals. Focus, zoom and the state
 * of the panes survive a switch between the layouts. UI thread only.
 */
#ifndef VIEW_VIEW_H
#define VIEW_VIEW_H

#include "tui/view/pane.h"
#include "widgets/layout.h"

#define VIEW_MAX_PANES 4

#define VIEW_KEYS(array) .keys = (array), .key_count = sizeof(array) / sizeof((array)[0])

struct view_def {
	enum action action; /* shows this view; gives its name and help */
	const char *title;
	const char *help; /* what the view shows, in sentences */
	const enum action *keys; /* actions of the most useful keys here, see VIEW_KEYS() */
	int key_count;
	const struct layout_node *wide;
	int wide_count;
	const struct layout_node *narrow; /* NULL: always wide */
	int narrow_count;
	int narrow_below_cols;
	bool drills; /* Enter moves to the next pane, "back" to the previous one */
};

struct view {
	const struct view_def *def;
	struct pane panes[VIEW_MAX_PANES]; /* indexed by the pane numbers of the layout */
	int pane_count;
	struct layout layout;
	bool is_narrow;
	/* Weights by node of the wide and of the narrow layout; 0: as defined. */
	int weights[2][LAYOUT_MAX_NODES];
	int subject; /* pane whose selection applies to the whole view */
	struct rect area;
	int dragged; /* border being dragged; -1: none */
	uint64_t live_ns; /* time of the last refresh while not paused */
	uint64_t late_ns; /* time of opening during a pause; 0: already visible at its start */
};

void view_init(struct view *view, const struct view_def *def, const struct pane *panes,
	       int pane_count);
void view_release(struct view *view);

void view_refresh(struct view *view, struct session *session);
void view_draw(struct view *view, struct session *session, struct canvas *canvas, struct rect area);

/*
 * Store the weights of the panes, those of the wide layout first. Return their number; 0: all are
 * as defined.
 */
int view_weights(const struct view *view, int weights[2 * LAYOUT_MAX_NODES]);
/* Set the weights that view_weights() stored. False: wrong count; nothing was changed. */
bool view_set_weights(struct view *view, const int *weights, int count);

/* Handle an action. False: unknown to the view and all its panes. */
bool view_act(struct view *view, struct session *session, enum action action);
/* Handle a mouse event. True: double click on a row, to be handled as drilling in. */
bool view_mouse(struct view *view, struct session *session, const struct input_event *event);

struct pane *view_focused(struct view *view);
/* Return the focused pane if it can be sorted, else the first that can; NULL: none. */
struct pane *view_sortable(struct view *view);

#endif
