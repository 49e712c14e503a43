/*
 * quick_terms - actions that narrow the filter to the selected row, or exclude it. UI thread only.
 */
#ifndef VIEW_QUICK_TERMS_H
#define VIEW_QUICK_TERMS_H

#include "tui/session/session.h"

/* Properties of the selected row that the actions use. */
struct quick_row {
	const struct selection *selection;
	const struct call *call; /* NULL: the row is not one call */
};

/* False: not an action of this module. Shows a message if the row lacks the property. */
bool quick_term_act(struct session *session, const struct quick_row *row, enum action action);

/*
 * Narrow the filter to the row, in one or two steps of the filter stack. The first step uses the
 * first of these that the row has: process with descendants, user, cgroup, thread, process, comm.
 * The second uses the system call. False: the last step was not possible; a message was shown.
 */
bool quick_term_enter(struct session *session, const struct selection *selection);

/* Add the term that the user chose from a row_terms list. */
void quick_term_take(struct session *session, const char *term);

#endif
