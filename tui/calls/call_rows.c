#include "tui/calls/call_rows.h"

#include <string.h>

/* Number of calls in flight that the stream shows at its end even in a low pane. */
#define IN_FLIGHT_ROWS_MIN 2
#define IN_FLIGHT_ID (1ULL << 63)

void call_rows_init(struct call_rows *rows)
{
	call_window_init(&rows->window);
	rows->in_flight_count = rows->in_flight_all = 0;
}

void call_rows_release(struct call_rows *rows)
{
	call_window_release(&rows->window);
}

size_t call_rows_count(const struct call_rows *rows)
{
	return rows->window.count + rows->in_flight_count;
}

const struct call *call_rows_at(const struct call_rows *rows, size_t row)
{
	if (row < rows->window.count)
		return &call_window_at(&rows->window, row)->call;
	return &rows->in_flight[row - rows->window.count];
}

bool call_rows_seq(const struct call_rows *rows, size_t row, uint64_t *seq)
{
	if (row >= rows->window.count)
		return false;
	*seq = call_window_at(&rows->window, row)->seq;
	return true;
}

uint64_t call_rows_id(const struct call_rows *rows, size_t row)
{
	uint64_t seq;

	return call_rows_seq(rows, row, &seq) ? call_rows_id_of(seq)
					      : IN_FLIGHT_ID | call_rows_at(rows, row)->tid;
}

bool call_rows_is_in_flight(uint64_t id)
{
	return id & IN_FLIGHT_ID;
}

bool call_rows_find(const struct call_rows *rows, uint64_t id, size_t *row)
{
	if (!call_rows_is_in_flight(id))
		return id && call_window_find(&rows->window, id - 1, row);
	for (size_t i = 0; i < rows->in_flight_count; i++) {
		if (rows->in_flight[i].tid == (uint32_t)id) {
			*row = rows->window.count + i;
			return true;
		}
	}
	return false;
}

/*
 * Idle daemons have hundreds of calls in flight, which would hide the stream. Show only the latest
 * enters, in at most a third of the pane.
 */
void call_rows_take_in_flight(struct call_rows *rows, const struct session *session,
			      size_t page_rows)
{
	size_t count = session->in_flight_count;
	size_t room = page_rows / 3;

	if (room < IN_FLIGHT_ROWS_MIN)
		room = IN_FLIGHT_ROWS_MIN;
	if (room > CALL_ROWS_IN_FLIGHT_MAX)
		room = CALL_ROWS_IN_FLIGHT_MAX;
	if (room > count)
		room = count;
	memcpy(rows->in_flight, session->in_flight + (count - room),
	       room * sizeof(rows->in_flight[0]));
	rows->in_flight_count = room;
	rows->in_flight_all = count;
}

uint64_t call_rows_returned(const struct call_rows *rows, uint64_t id, uint64_t enter_ns)
{
	size_t row;

	if (call_rows_find(rows, id, &row) && call_rows_at(rows, row)->enter_ns == enter_ns)
		return 0;
	for (size_t i = rows->window.count; i-- > 0;) {
		const struct call_window_row *at = call_window_at(&rows->window, i);

		if (at->call.tid == (uint32_t)id && at->call.enter_ns == enter_ns)
			return call_rows_id_of(at->seq);
	}
	return 0;
}
