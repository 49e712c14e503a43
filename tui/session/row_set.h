/*
 * row_set - reference-counted rows of totals that several panes show.
 *
 * A job makes the rows and hands them over; after that, they are immutable. A pane that retains a
 * pointer into them across refreshes holds a reference. UI thread only.
 */
#ifndef SESSION_ROW_SET_H
#define SESSION_ROW_SET_H

#include "engine/engine.h"

struct row_set {
	struct engine_row *rows;
	size_t count;
	unsigned int refs;
};

/* Take ownership of the rows (malloc; NULL if count is 0). The caller gets the reference. */
struct row_set *row_set_new(struct engine_row *rows, size_t count);
/* Take or drop a reference. NULL is allowed. */
struct row_set *row_set_ref(struct row_set *set);
void row_set_unref(struct row_set *set);

#endif
