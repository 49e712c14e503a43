/*
 * call_window - copy of a part of the history, for a pane to show.
 *
 * The window holds calls that match a filter, by ascending sequence number. All calls from
 * older_seq up to newer_seq have been examined. The window follows the end of the history, or grows
 * on either side while the user scrolls, up to CALL_WINDOW_MAX rows. Rows stay in the window after
 * the history evicts them. Each function examines a bounded number of calls. UI thread only.
 */
#ifndef CALLS_CALL_WINDOW_H
#define CALLS_CALL_WINDOW_H

#include "engine/engine.h"

#define CALL_WINDOW_MAX 4096
/* Loss kind of a CALL_GAP row that stands for calls evicted before they were examined. */
#define CALL_WINDOW_NOT_CACHED LOSS_KIND_COUNT

struct call_window_row {
	uint64_t seq;
	struct call call;
};

struct call_window {
	struct call_window_row *rows; /* ring of CALL_WINDOW_MAX */
	size_t head, count;
	uint64_t older_seq; /* oldest call examined */
	uint64_t newer_seq; /* first call after the examined ones */
	bool placed; /* older_seq and newer_seq are valid */
};

void call_window_init(struct call_window *window);
void call_window_release(struct call_window *window);

/* Empty the window. The next function that grows it places it at the end of the history. */
void call_window_clear(struct call_window *window);
/* Empty the window and place it at `seq`. */
void call_window_seek(struct call_window *window, uint64_t seq);

/* Start with the oldest match. Its row stays even if the history has evicted the call. */
void call_window_start(struct call_window *window, uint64_t seq, const struct call *call);

/*
 * Append new calls and drop the oldest rows to make room. If more than CALL_WINDOW_MAX calls are
 * new, jump to the end. If matches near the end are rare, do not jump: the rows already found are
 * worth more. newer_seq shows the progress. True if rows changed.
 */
bool call_window_follow(struct call_window *window, struct engine *engine,
			const struct filter *filter);
/*
 * Append newer calls; to make room, drop at most `spare` of the oldest rows. True if rows changed.
 */
bool call_window_grow_newer(struct call_window *window, struct engine *engine,
			    const struct filter *filter, size_t spare);
/*
 * Prepend at most `want` older calls; to make room, drop at most `spare` of the newest rows. True
 * if rows changed.
 */
bool call_window_grow_older(struct call_window *window, struct engine *engine,
			    const struct filter *filter, size_t want, size_t spare);

/* Return a row; index < count. Borrowed until a function changes the window. */
const struct call_window_row *call_window_at(const struct call_window *window, size_t index);
bool call_window_find(const struct call_window *window, uint64_t seq, size_t *index);

#endif
