/*
 * call_search - searches the history for a row that contains a text, or for the next call on the
 * same futex or file descriptor.
 *
 * Each step takes a few milliseconds and shows its progress in the message line. The search can be
 * cancelled. UI thread only.
 */
#ifndef CALLS_CALL_SEARCH_H
#define CALLS_CALL_SEARCH_H

#include "tui/calls/call_cells.h"
#include "tui/calls/call_object.h"
#include "tui/calls/history_walk.h"

struct call_search {
	struct history_walk walk;
	struct call_object object; /* OBJECT_NONE: search for the text */
	struct str text;
	struct engine_bytes bytes; /* memory that the examined calls point to, for their texts */
	bool running;
	uint64_t found; /* with SEARCH_FOUND: sequence number of the call */
};

enum search_result {
	SEARCH_GOES_ON,
	SEARCH_FOUND,
	SEARCH_TURNED, /* reached one end of the history: search the calls in flight next */
	SEARCH_FAILED, /* a message was shown */
};

void call_search_init(struct call_search *search);
void call_search_release(struct call_search *search);

/* Start a text search at `seq`; it wraps around. step 1: towards newer calls, -1: older calls. */
void call_search_text(struct call_search *search, struct session *session, uint64_t seq, int step,
		      const char *text);
/* Start an object search at `seq`; it does not wrap around. */
void call_search_object(struct call_search *search, struct session *session, uint64_t seq, int step,
			const struct call_object *object);
/* Take one step. Only while ->running. */
enum search_result call_search_step(struct call_search *search, struct session *session,
				    struct call_cells *cells);
/*
 * Search an array from index `from` in the direction of `step`. Return the index of the match;
 * `count` if there is none.
 */
size_t call_search_among(struct call_search *search, struct session *session,
			 struct call_cells *cells, const struct call *calls, size_t count,
			 size_t from, int step);
/* Cancel the search with a message. False if none was running. */
bool call_search_stop(struct call_search *search, struct session *session);

#endif
