/*
 * call_search - looks through the whole history for a row with a text in it, or for the
 * next call on the same futex or file descriptor.
 *
 * It goes on for some milliseconds a step, says in the message line how far it is, and can be
 * given up. UI thread only.
 */
#ifndef CALLS_CALL_SEARCH_H
#define CALLS_CALL_SEARCH_H

#include "tui/calls/call_cells.h"
#include "tui/calls/call_object.h"
#include "tui/calls/history_walk.h"

struct call_search {
	struct history_walk walk;
	struct call_object object; /* OBJECT_NONE: the text is looked for */
	struct str text;
	struct engine_bytes bytes; /* of the calls looked at: text is what they point to, too */
	bool running;
	uint64_t found; /* with SEARCH_FOUND: its number */
};

enum search_result {
	SEARCH_GOES_ON,
	SEARCH_FOUND,
	SEARCH_TURNED, /* at the end of the history: what is shown behind it is next */
	SEARCH_FAILED, /* which was said */
};

void call_search_init(struct call_search *search);
void call_search_release(struct call_search *search);

/* From that number on, round at the end; step 1: to newer ones, -1: to older ones. */
void call_search_text(struct call_search *search, struct session *session, uint64_t seq, int step,
		      const char *text);
/* Not round. */
void call_search_object(struct call_search *search, struct session *session, uint64_t seq, int step,
			const struct call_object *object);
/* Only while it runs. */
enum search_result call_search_step(struct call_search *search, struct session *session,
				    struct call_cells *cells);
/* Among these from one of them on, in the direction of step; count: none of them. */
size_t call_search_among(struct call_search *search, struct session *session,
			 struct call_cells *cells, const struct call *calls, size_t count,
			 size_t from, int step);
/* False: none ran. */
bool call_search_stop(struct call_search *search, struct session *session);

#endif
