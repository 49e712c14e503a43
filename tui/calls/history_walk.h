/*
 * history_walk - walks the history from one place in one direction, in steps, to the first match.
 *
 * At the end of the history, the walk can wrap around and continue to its origin. Calls that finish
 * during the walk are not visited. UI thread only.
 */
#ifndef CALLS_HISTORY_WALK_H
#define CALLS_HISTORY_WALK_H

#include "engine/engine.h"

enum walk_result {
	WALK_GOES_ON, /* the time limit was reached before the end of the history */
	WALK_FOUND,
	WALK_TURNED, /* reached one end; the next step begins at the other end */
	WALK_ENDED,
};

/* Return the index of the first match among these calls; `count` if there is none. */
typedef size_t walk_match_fn(void *ctx, const struct call *calls, size_t count);

struct history_walk {
	bool forward, goes_round, turned;
	uint64_t origin; /* sequence number at which the walk began */
	uint64_t seq; /* next call to visit; backward: the call after it */
	uint64_t end; /* end of the history when the walk began */
	uint64_t found; /* with WALK_FOUND: sequence number of the match */
};

/* Begin a walk. Forward, the first call visited is `seq`; backward, it is the call before `seq`. */
void history_walk_begin(struct history_walk *walk, struct engine *engine, uint64_t seq,
			bool forward, bool goes_round);
/* Visit calls that match the filter (NULL: all) until `until_ns`, but at least one batch. */
enum walk_result history_walk_step(struct history_walk *walk, struct engine *engine,
				   const struct filter *filter, uint64_t until_ns,
				   walk_match_fn *matches, void *ctx);
/* Return the progress of the walk, in percent. */
unsigned history_walk_percent(const struct history_walk *walk, struct engine *engine);

#endif
