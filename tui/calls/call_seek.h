/*
 * call_seek - finds a place in the stream: after another filter the call that was selected, or
 * the nearest one that matches; or the oldest one that matches.
 *
 * Moves a call_window there, a bit at a time: where matches are rare the nearest may be a
 * million calls away. While the oldest is looked for, the window stays where it is. UI thread only.
 */
#ifndef CALLS_CALL_SEEK_H
#define CALLS_CALL_SEEK_H

#include "tui/calls/call_window.h"

enum place_result {
	PLACE_GOES_ON,
	PLACE_FOUND,
	PLACE_NOWHERE, /* no call in the history matches */
};

struct call_seek {
	uint64_t seq; /* of the call that was selected; of the oldest: the next to look at */
	bool running, oldest;
};

void call_seek_begin(struct call_seek *place, struct call_window *window, uint64_t seq);
/* The oldest call that is kept, matches and is not a gap. */
void call_seek_begin_oldest(struct call_seek *place);
/* How much of the history was looked at. */
unsigned call_seek_percent(const struct call_seek *place, const struct call_window *window,
			   struct engine *engine);
/* While it runs. With PLACE_FOUND *seq is that of the call to be selected. */
enum place_result call_seek_step(struct call_seek *place, struct call_window *window,
				 struct engine *engine, const struct filter *filter, uint64_t *seq);

#endif
