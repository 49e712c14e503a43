/*
 * call_place - finds the place in the stream again after another filter: the call that was
 * selected, or the nearest one that matches.
 *
 * Moves a call_window there, a bit at a time: where matches are rare the nearest may be a
 * million calls away. UI thread only.
 */
#ifndef TUI_CALL_PLACE_H
#define TUI_CALL_PLACE_H

#include "tui/call_window.h"

enum place_result {
	PLACE_GOES_ON,
	PLACE_FOUND,
	PLACE_NOWHERE, /* no call in the history matches */
};

struct call_place {
	uint64_t seq; /* of the call that was selected */
	bool running;
};

void call_place_begin(struct call_place *place, struct call_window *window, uint64_t seq);
/* While it runs. With PLACE_FOUND *seq is that of the call to be selected. */
enum place_result call_place_step(struct call_place *place, struct call_window *window,
				  struct engine *engine, const struct filter *filter,
				  uint64_t *seq);

#endif
