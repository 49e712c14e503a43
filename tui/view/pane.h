/*
 * pane - what a view knows of the things it shows: a small table of verbs.
 *
 * A pane reads the session, keeps its own rows and widget, and handles actions;
 * it never sees keys. Verbs that may be NULL say so. UI thread only.
 */
#ifndef VIEW_PANE_H
#define VIEW_PANE_H

#include "tui/config/actions.h"
#include "tui/session/export_subject.h"
#include "tui/session/session.h"
#include "tui/view/row_terms.h"
#include "widgets/move.h"
#include "widgets/table.h"
#include "widgets/terminal/event.h"

struct pane_ops {
	/* Takes new rows from the session and the engine. Called before every drawing. */
	void (*refresh)(void *pane, struct session *session);
	/* On a canvas of its own, whose first row is the title. */
	void (*draw)(void *pane, struct session *session, struct canvas *canvas, bool focused);
	/* False: not an action of this pane. */
	bool (*act)(void *pane, struct session *session, enum action action);
	/* A press of a button, relative to the canvas drawn last. */
	void (*click)(void *pane, struct session *session, int row, int col);
	/*
	 * Whether a sign is there that each press works: a second one soon after is no way to
	 * drill in. May be NULL.
	 */
	bool (*is_sign)(void *pane, int row, int col);
	/* The mouse went on to there with the button down. May be NULL. */
	void (*drag)(void *pane, struct session *session, int row, int col);
	/* Scrolls by so many rows without a focus. */
	void (*wheel)(void *pane, struct session *session, int rows);
	/* As table_search. One that goes on returns true and says later what it found. */
	bool (*search)(void *pane, struct session *session, const char *text, int step,
		       bool from_here);
	/* Gives up what takes long, or what was chosen; false: neither. May be NULL. */
	bool (*stop)(void *pane, struct session *session);
	/* The selected row as text, appended. */
	void (*row_text)(void *pane, struct session *session, struct str *out);
	/*
	 * What the selected row speaks of, in a cleared *pick; false: nothing is selected. May
	 * be NULL. *call is set where the row is one call (*has_call).
	 */
	bool (*selection)(void *pane, struct session *session, struct selection *selection,
			  struct call *call, bool *has_call);
	/* What else the selected row gives to narrow by, appended. May be NULL. */
	void (*terms)(void *pane, struct session *session, struct row_terms *terms);
	/* What it shows its rows in: columns with their help. May be NULL. */
	struct table *(*table)(void *pane);
	/* What of it can be written to a file, in a cleared *subject. NULL: nothing. */
	void (*exports)(void *pane, struct session *session, struct export_subject *subject);
	/* Chooses the column to sort by. NULL: there is one order only. */
	void (*sort_by)(void *pane, struct session *session, int column_id);
	/* By what its rows may be grouped, bits by enum engine_group, and are. NULL: by nothing. */
	unsigned (*groups)(void *pane, enum engine_group *group);
	void (*group_by)(void *pane, struct session *session, enum engine_group group);
	void (*free)(void *pane);
};

struct pane {
	const struct pane_ops *ops;
	void *self;
};

/* The moves among the actions; false: it is none. */
bool pane_move(enum action action, enum move *move);

#endif
