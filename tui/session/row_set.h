/*
 * row_set - rows of totals that several panes show, with references.
 *
 * A job makes the rows and hands them over whole; they do not change any more. Whoever keeps a
 * pointer into them from one refresh to the next holds a reference. UI thread only.
 */
#ifndef SESSION_ROW_SET_H
#define SESSION_ROW_SET_H

#include "engine/engine.h"

struct row_set {
	struct engine_row *rows;
	size_t count;
	unsigned int refs;
};

/* Takes the rows (malloc; NULL with 0 of them); the caller has the reference. */
struct row_set *row_set_new(struct engine_row *rows, size_t count);
/* NULL is allowed in both. */
struct row_set *row_set_ref(struct row_set *set);
void row_set_unref(struct row_set *set);

#endif
