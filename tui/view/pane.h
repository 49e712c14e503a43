/*
 * pane - interface between a view and its panes: a table of operations.
 *
 * A pane reads the session, owns its rows and its widget, and handles actions. The shell translates
 * keys to actions before a pane sees them. Operations that may be NULL are marked. UI thread only.
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
	/* Read new rows from the session and the engine. Called before each draw. */
	void (*refresh)(void *pane, struct session *session);
	/* Draw the pane on a canvas of its size, whose first row is the title. */
	void (*draw)(void *pane, struct session *session, struct canvas *canvas, bool focused);
	/* Handle an action. False: not an action of this pane. */
	bool (*act)(void *pane, struct session *session, enum action action);
	/* Handle a button press at a position of the last drawn canvas. */
	void (*click)(void *pane, struct session *session, int row, int col);
	/*
	 * True if a fold sign is at this position. Each press on a sign acts, so a double click
	 * there does not drill in. May be NULL.
	 */
	bool (*is_sign)(void *pane, int row, int col);
	/* The mouse moved to this position with the button down. May be NULL. */
	void (*drag)(void *pane, struct session *session, int row, int col);
	/* Scroll by `rows`; the pane need not have the focus. */
	void (*wheel)(void *pane, struct session *session, int rows);
	/*
	 * As table_search(). A search that continues in later refreshes returns true, and reports
	 * its result when it ends.
	 */
	bool (*search)(void *pane, struct session *session, const char *text, int step,
		       bool from_here);
	/* Cancel long work or drop the selected area; false: nothing to cancel. May be NULL. */
	bool (*stop)(void *pane, struct session *session);
	/* Append the selected row as text. */
	void (*row_text)(void *pane, struct session *session, struct str *out);
	/*
	 * Describe the selected row in a cleared *selection; false: no row is selected. If the row
	 * is one call, set *call and *has_call. May be NULL.
	 */
	bool (*selection)(void *pane, struct session *session, struct selection *selection,
			  struct call *call, bool *has_call);
	/* Append further filter terms of the selected row. May be NULL. */
	void (*terms)(void *pane, struct session *session, struct row_terms *terms);
	/* Return the table of the rows: columns with their help. May be NULL. */
	struct table *(*table)(void *pane);
	/* Describe the exportable content in a cleared *subject. NULL: nothing to export. */
	void (*exports)(void *pane, struct session *session, struct export_subject *subject);
	/* Sort by this column. NULL: the order is fixed. */
	void (*sort_by)(void *pane, struct session *session, int column_id);
	/*
	 * Return the possible groupings as bits by enum engine_group and set *group to the current
	 * one. NULL: rows cannot be grouped.
	 */
	unsigned (*groups)(void *pane, enum engine_group *group);
	void (*group_by)(void *pane, struct session *session, enum engine_group group);
	void (*free)(void *pane);
};

struct pane {
	const struct pane_ops *ops;
	void *self;
};

/* Translate a cursor action into *move; false: not a cursor action. */
bool pane_move(enum action action, enum move *move);

#endif
