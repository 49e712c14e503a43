/*
 * quick_terms - the keys that narrow to the selected row, or leave it out. UI thread only.
 */
#ifndef VIEW_QUICK_TERMS_H
#define VIEW_QUICK_TERMS_H

#include "tui/session/session.h"

/* What the row speaks of that keys act on. */
struct quick_row {
	const struct selection *selection;
	const struct call *call; /* NULL: it is not one call */
};

/* False: not such an action. Says so where the row has no such property. */
bool quick_term_act(struct session *session, const struct quick_row *row, enum action action);

/*
 * Narrows to the row, by all that it is of: its thread, process, user, call… A step for each of
 * these. False: it is of nothing that can be typed, which was said.
 */
bool quick_term_enter(struct session *session, const struct selection *selection);

/* The term that was chosen among all of a row's. */
void quick_term_take(struct session *session, const char *term);

#endif
