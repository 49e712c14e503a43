/*
 * futex_rows - rows for the futex view: copied under the model's lock, merged without it.
 *
 * Shared futexes on the same memory become one row, at whatever addresses the processes map it.
 */
#ifndef ENGINE_FUTEX_ROWS_H
#define ENGINE_FUTEX_ROWS_H

#include "engine/engine.h"

struct futex_rows {
	/* True if the filter passes a call in flight; NULL: no filter. */
	bool (*wanted)(void *ctx, const struct call *call);
	void *wanted_ctx;
	struct engine_futex *rows;
	size_t count, cap;
	size_t at; /* position in the model's table */
};

/* Copy a slice of the table, so that the lock is held briefly. False: the table is done. Locked. */
bool futex_rows_gather(struct futex_rows *rows, struct model *model, uint64_t now_ns);
/*
 * Store the rows that the filter passes in *out (free() by the caller) and return their number.
 * *all: number of rows without the filter. Not locked.
 */
size_t futex_rows_finish(struct futex_rows *rows, struct engine_futex **out, size_t *all);

#endif
