/*
 * call_rows - rows of the stream: a part of the history, then the latest calls in flight.
 *
 * Each row has an id. The id of a finished call derives from its sequence number in the history,
 * the id of a call in flight from its tid. UI thread only.
 */
#ifndef CALLS_CALL_ROWS_H
#define CALLS_CALL_ROWS_H

#include "tui/calls/call_window.h"
#include "tui/session/session.h"

/* Maximum number of calls in flight to show; enough for a third of the tallest pane. */
#define CALL_ROWS_IN_FLIGHT_MAX 128

struct call_rows {
	struct call_window window;
	struct call in_flight[CALL_ROWS_IN_FLIGHT_MAX]; /* shown calls, oldest first */
	size_t in_flight_count;
	size_t in_flight_all; /* total number of calls in flight */
};

void call_rows_init(struct call_rows *rows);
void call_rows_release(struct call_rows *rows);

size_t call_rows_count(const struct call_rows *rows);
const struct call *call_rows_at(const struct call_rows *rows, size_t row);
uint64_t call_rows_id(const struct call_rows *rows, size_t row);
bool call_rows_find(const struct call_rows *rows, uint64_t id, size_t *row);
/* Return the sequence number of the row in *seq; false: the call is in flight. */
bool call_rows_seq(const struct call_rows *rows, size_t row, uint64_t *seq);

static inline uint64_t call_rows_id_of(uint64_t seq)
{
	return seq + 1;
}
/* True if the id is that of a call in flight. */
bool call_rows_is_in_flight(uint64_t id);

/* Copy the session's latest calls in flight: up to page_rows / 3, or up to 2 if that is more. */
void call_rows_take_in_flight(struct call_rows *rows, const struct session *session,
			      size_t page_rows);
/*
 * Return the new row id of a call that had this id and enter time while it was in flight. 0: the
 * call is still in flight, or it has no row.
 */
uint64_t call_rows_returned(const struct call_rows *rows, uint64_t id, uint64_t enter_ns);

#endif
