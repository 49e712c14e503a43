/*
 * view - panes on a layout: the Overview is one, each further view is another.
 *
 * Owns its panes. Narrow terminals may have a layout of their own; focus, zoom and
 * everything inside the panes survive the change between them. UI thread only.
 */
#ifndef VIEW_VIEW_H
#define VIEW_VIEW_H

#include "tui/view/pane.h"
#include "widgets/layout.h"

#define VIEW_MAX_PANES 4

#define VIEW_KEYS(array) .keys = (array), .key_count = sizeof(array) / sizeof((array)[0])

struct view_def {
	enum action action; /* what shows it: its name and help too */
	const char *title;
	const char *help; /* what is seen here; sentences */
	const enum action *keys; /* those that matter most here, VIEW_KEYS() */
	int key_count;
	const struct layout_node *wide;
	int wide_count;
	const struct layout_node *narrow; /* NULL: wide always */
	int narrow_count;
	int narrow_below_cols;
	bool drills; /* Enter leads from a pane to the next one, "back" to the one before */
};

struct view {
	const struct view_def *def;
	struct pane panes[VIEW_MAX_PANES]; /* by the pane numbers of the layout */
	int pane_count;
	struct layout layout;
	bool is_narrow;
	/* Of the nodes of either layout, wide and narrow; 0: as defined. */
	int weights[2][LAYOUT_MAX_NODES];
	int subject; /* the pane that says what the others speak of */
	struct rect area;
	int dragged; /* border, -1: none */
	uint64_t live_ns; /* when it was refreshed last while not paused */
	uint64_t late_ns; /* when it was opened during a pause; 0: it was in sight before */
};

void view_init(struct view *view, const struct view_def *def, const struct pane *panes,
	       int pane_count);
void view_release(struct view *view);

void view_refresh(struct view *view, struct session *session);
void view_draw(struct view *view, struct session *session, struct canvas *canvas, struct rect area);

/*
 * The shares of the panes, those of the narrow layout behind those of the wide one; returns
 * how many: none if they are as defined.
 */
int view_weights(const struct view *view, int weights[2 * LAYOUT_MAX_NODES]);
/* False: there are not so many, and nothing has changed. */
bool view_set_weights(struct view *view, const int *weights, int count);

/* False: neither the view nor its focused pane knows the action. */
bool view_act(struct view *view, struct session *session, enum action action);
/* Returns true if the click was a second one on a row: as drilling in. */
bool view_mouse(struct view *view, struct session *session, const struct input_event *event);

struct pane *view_focused(struct view *view);
/* The focused pane if it can be sorted, else the first that can; NULL: none. */
struct pane *view_sortable(struct view *view);

#endif
