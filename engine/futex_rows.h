/*
 * futex_rows - futexes for people: copied under the model's lock, merged without it.
 *
 * Shared futexes on the same memory become one row, whatever addresses their
 * processes use.
 */
#ifndef ENGINE_FUTEX_ROWS_H
#define ENGINE_FUTEX_ROWS_H

#include "engine/engine.h"

struct futex_rows {
	/* Whether the filter lets a call in flight through; NULL: there is none. */
	bool (*wanted)(void *ctx, const struct call *call);
	void *wanted_ctx;
	struct engine_futex *rows;
	size_t count, cap;
	size_t at; /* in the model's table */
};

/* Locked: copies some, so that the lock is short; false when there are no more. */
bool futex_rows_gather(struct futex_rows *rows, struct model *model, uint64_t now_ns);
/*
 * Not locked. The result is the caller's to free(); returns its length: rows of what the filter
 * lets through, while *all is how many there would be without one.
 */
size_t futex_rows_finish(struct futex_rows *rows, struct engine_futex **out, size_t *all);

#endif
