/*
 * call_seek - moves a call_window to a place in the stream.
 *
 * The place is the call that was selected before a filter change, the nearest match, or the oldest
 * match. The search takes steps, because the nearest match can be a million calls away. While the
 * search is for the oldest match, the window does not move. UI thread only.
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
	uint64_t seq; /* the selected call; for the oldest match: the next call to examine */
	bool running, oldest;
};

void call_seek_begin(struct call_seek *place, struct call_window *window, uint64_t seq);
/* Start to search for the oldest call in the history that matches and is not a gap. */
void call_seek_begin_oldest(struct call_seek *place);
/* Return the examined share of the history, in percent. */
unsigned call_seek_percent(const struct call_seek *place, const struct call_window *window,
			   struct engine *engine);
/* Take one step. Only while ->running. With PLACE_FOUND, *seq is the call to select. */
enum place_result call_seek_step(struct call_seek *place, struct call_window *window,
				 struct engine *engine, const struct filter *filter, uint64_t *seq);

#endif
