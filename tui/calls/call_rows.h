/*
 * call_rows - rows of the stream: a part of the history, then the calls in flight entered last.
 *
 * Each row has an id. The id of a finished call derives from its sequence number in the history,
 * the id of a call in flight from its tid. UI thread only.
 */
#ifndef CALLS_CALL_ROWS_H
#define CALLS_CALL_ROWS_H

#include "tui/calls/call_window.h"
#include "tui/session/session.h"

/* A third of the tallest pane. */
#define CALL_ROWS_IN_FLIGHT_MAX 128

struct call_rows {
	struct call_window window;
	struct call in_flight[CALL_ROWS_IN_FLIGHT_MAX]; /* shown ones, oldest first */
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

/* Copy the latest calls in flight of the session: at most a third of `page_rows`, at least 2. */
void call_rows_take_in_flight(struct call_rows *rows, const struct session *session,
			      size_t page_rows);
/*
 * For a call that was in flight with this id and enter time: return its id since it returned. 0 if
 * it is still in flight or its row is missing.
 */
uint64_t call_rows_returned(const struct call_rows *rows, uint64_t id, uint64_t enter_ns);

#endif
