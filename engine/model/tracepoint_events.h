/*
 * tracepoint_events - hits of tracepoints that -E adds: rows of the history, and counters.
 *
 * An event is stored as a struct call in state CALL_EVENT. It has a time, a thread and a CPU.
 * args[0] is the event number, and its fields are stored as argument memory. The text is formatted
 * on display. No sum of calls includes events. Owned and locked by the model.
 */
#ifndef MODEL_TRACEPOINT_EVENTS_H
#define MODEL_TRACEPOINT_EVENTS_H

#include "engine/record/call.h"
#include "engine/tasks/tasks.h"

#define CALL_NR_EVENT UINT16_MAX /* call.nr of an event row; no system call has this number */

struct event_sum {
	uint64_t seen; /* counted before the filter */
	uint64_t matched; /* counted since the filter was set */
};

struct events {
	struct event_sum *totals; /* by event number */
	size_t count, cap;
	uint64_t seen, matched; /* sums over all events */
	uint64_t lost; /* event records that a ring had no room for */
};

void events_release(struct events *events);

/* Fill the row of a RECORD_EVENT, without argument memory. `task` NULL: the idle task. */
void events_row(struct call *row, const struct record *record, const struct task *task,
		struct tasks *tasks);

void events_seen(struct events *events, uint64_t number);
void events_matched(struct events *events, uint64_t number);
/* The filter changed: matched counts become 0, or equal to the seen counts if all match. */
void events_start_over(struct events *events, bool all_match);
void events_zero(struct events *events);

#endif
