/*
 * call_window - a stretch of the history, copied so that a pane can show it.
 *
 * Holds calls that match a filter, by ascending sequence number; everything between
 * older_seq and newer_seq has been looked at. It follows the end of the history,
 * or grows to either side as somebody scrolls, and never holds more than
 * CALL_WINDOW_MAX. What is in the window stays when the history evicts it. Each verb looks
 * at a bounded number of calls. UI thread only.
 */
#ifndef CALLS_CALL_WINDOW_H
#define CALLS_CALL_WINDOW_H

#include "engine/engine.h"

#define CALL_WINDOW_MAX 4096
/* What a row says that stands for calls evicted before they were looked at, see CALL_GAP. */
#define CALL_WINDOW_NOT_CACHED LOSS_KIND_COUNT

struct call_window_row {
	uint64_t seq;
	struct call call;
};

struct call_window {
	struct call_window_row *rows; /* a ring of CALL_WINDOW_MAX */
	size_t head, count;
	uint64_t older_seq; /* looked at from here ... */
	uint64_t newer_seq; /* ... up to before here */
	bool placed; /* has a place in the history */
};

void call_window_init(struct call_window *window);
void call_window_release(struct call_window *window);

/* Empty, without a place: the next verb starts at the end of the history. */
void call_window_clear(struct call_window *window);
/* Empty, at that place. */
void call_window_seek(struct call_window *window, uint64_t seq);

/* The oldest of all calls that match, as it was found: it is a row even if it is evicted now. */
void call_window_start(struct call_window *window, uint64_t seq, const struct call *call);

/*
 * Takes what came since; drops the oldest rows for it. When far too much came, it leaps to the
 * end, unless matches are so rare there that what was found already is worth more. newer_seq says
 * how far it came. True if rows changed.
 */
bool call_window_follow(struct call_window *window, struct engine *engine,
			const struct filter *filter);
/* Takes newer calls while there is room, dropping at most `spare` of the oldest. */
bool call_window_grow_newer(struct call_window *window, struct engine *engine,
			    const struct filter *filter, size_t spare);
/* The same on the other side; dropped are the newest. */
bool call_window_grow_older(struct call_window *window, struct engine *engine,
			    const struct filter *filter, size_t want, size_t spare);

/* index < count; borrowed until the next verb. */
const struct call_window_row *call_window_at(const struct call_window *window, size_t index);
bool call_window_find(const struct call_window *window, uint64_t seq, size_t *index);

#endif
