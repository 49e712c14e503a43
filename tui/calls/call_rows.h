/*
 * call_rows - the rows of the stream: a stretch of the history and, behind it, the calls in
 * flight that were entered last.
 *
 * A row is known by an id: of a call that has returned its number in the history, of one in
 * flight its thread. UI thread only.
 */
#ifndef CALLS_CALL_ROWS_H
#define CALLS_CALL_ROWS_H

#include "tui/calls/call_window.h"
#include "tui/session/session.h"

/* A third of the tallest pane. */
#define CALL_ROWS_IN_FLIGHT_MAX 128

struct call_rows {
	struct call_window window;
	struct call in_flight[CALL_ROWS_IN_FLIGHT_MAX]; /* those that are shown, oldest first */
	size_t in_flight_count;
	size_t in_flight_all; /* of these those are */
};

void call_rows_init(struct call_rows *rows);
void call_rows_release(struct call_rows *rows);

size_t call_rows_count(const struct call_rows *rows);
const struct call *call_rows_at(const struct call_rows *rows, size_t row);
uint64_t call_rows_id(const struct call_rows *rows, size_t row);
bool call_rows_find(const struct call_rows *rows, uint64_t id, size_t *row);
/* The call's number in the history; false: it is in flight. */
bool call_rows_seq(const struct call_rows *rows, size_t row, uint64_t *seq);

static inline uint64_t call_rows_id_of(uint64_t seq)
{
	return seq + 1;
}
/* Whether the id is that of a call in flight. */
bool call_rows_is_in_flight(uint64_t id);

/* The session's calls in flight, as many as so many rows of a pane allow. */
void call_rows_take_in_flight(struct call_rows *rows, const struct session *session,
			      size_t page_rows);
/* Under which id the call is now that was in flight and entered then; 0: it is not there. */
uint64_t call_rows_returned(const struct call_rows *rows, uint64_t id, uint64_t enter_ns);

#endif
