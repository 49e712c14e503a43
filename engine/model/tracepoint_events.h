/*
 * tracepoint_events - what happened at other tracepoints: rows of the history beside the calls, and
 * sums.
 *
 * An event is kept as a struct call in the state CALL_EVENT, which has a time, a thread and a
 * CPU, the event's number in args[0], and the bytes of its fields among those that calls point
 * to; its text is made when somebody looks. It is in none of the sums of calls. Owned and
 * locked by the model.
 */
#ifndef MODEL_TRACEPOINT_EVENTS_H
#define MODEL_TRACEPOINT_EVENTS_H

#include "engine/record/call.h"
#include "engine/tasks/tasks.h"

#define CALL_NR_EVENT UINT16_MAX /* call.nr of one: no system call has it */

struct event_sum {
	uint64_t seen; /* before the filter */
	uint64_t matched; /* since the filter came */
};

struct events {
	struct event_sum *call_stats; /* by number */
	size_t count, cap;
	uint64_t seen, matched; /* of all */
	uint64_t lost; /* records of events that their rings had no room for */
};

void events_release(struct events *events);

/* The row of a RECORD_EVENT, without its bytes; `task` NULL: the idle one. */
void events_row(struct call *row, const struct record *record, const struct task *task,
		struct tasks *tasks);

void events_seen(struct events *events, uint64_t number);
void events_matched(struct events *events, uint64_t number);
/* Another filter: none of those seen matched so far, or all of them. */
void events_start_over(struct events *events, bool all_match);
void events_zero(struct events *events);

#endif
