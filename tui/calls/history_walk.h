/*
 * history_walk - goes through the history from one place in one direction, a bit at a time,
 * until a call is the one that is looked for.
 *
 * It may go round at the end, back to where it began. What comes while it walks is not looked
 * at. UI thread only.
 */
#ifndef CALLS_HISTORY_WALK_H
#define CALLS_HISTORY_WALK_H

#include "engine/engine.h"

enum walk_result {
	WALK_GOES_ON, /* the time is over, the history is not */
	WALK_FOUND,
	WALK_TURNED, /* one end was reached; a next step begins at the other */
	WALK_ENDED,
};

/* The index of the first of these calls that is looked for; count: none is. */
typedef size_t walk_match_fn(void *ctx, const struct call *calls, size_t count);

struct history_walk {
	bool forward, goes_round, turned;
	uint64_t origin; /* where it began */
	uint64_t seq; /* forward: the next to look at; backward: behind it */
	uint64_t end; /* of the history when it began */
	uint64_t found; /* with WALK_FOUND */
};

/* Forward: seq is the first one looked at; backward: the one below it is. */
void history_walk_begin(struct history_walk *walk, struct engine *engine, uint64_t seq,
			bool forward, bool goes_round);
/* Looks at calls that match the filter (NULL: all) until then, at some of them at least. */
enum walk_result history_walk_step(struct history_walk *walk, struct engine *engine,
				   const struct filter *filter, uint64_t until_ns,
				   walk_match_fn *matches, void *ctx);
/* How much of its way it has gone. */
unsigned history_walk_percent(const struct history_walk *walk, struct engine *engine);

#endif
