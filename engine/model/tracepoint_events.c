#include "engine/model/tracepoint_events.h"

#include "engine/base/mem.h"
#include "engine/record/event_names.h"

#include <stdlib.h>
#include <string.h>

void events_release(struct events *events)
{
	free(events->totals);
	memset(events, 0, sizeof(*events));
}

void events_row(struct call *row, const struct record *record, const struct task *task,
		struct tasks *tasks)
{
	*row = (struct call){
		.enter_ns = record->time_ns,
		.dur_ns = -1,
		.args = { record->event.number, record->event.bytes.len },
		.pid = task ? task->process->pid : 0,
		.tid = task ? task->tid : 0,
		.comm_id = task ? task->comm_id : tasks_name_id(tasks, "swapper"),
		.nr = CALL_NR_EVENT,
		.cpu = (uint16_t)(record->cpu < UINT16_MAX ? record->cpu : UINT16_MAX),
		.state = CALL_EVENT,
	};
}

/* Return the counters of an event, created if needed. NULL: the number is out of range. */
static struct event_sum *sum_of(struct events *events, uint64_t number)
{
	size_t old_cap = events->cap;

	if (number >= EVENT_NAMES_MAX)
		return NULL;
	if (number >= old_cap) {
		events->totals = mem_grow(events->totals, &events->cap, number + 1,
					  sizeof(*events->totals));
		memset(events->totals + old_cap, 0,
		       (events->cap - old_cap) * sizeof(*events->totals));
	}
	if (number >= events->count)
		events->count = number + 1;
	return &events->totals[number];
}

void events_seen(struct events *events, uint64_t number)
{
	struct event_sum *sum = sum_of(events, number);

	if (sum)
		sum->seen++;
	events->seen++;
}

void events_matched(struct events *events, uint64_t number)
{
	struct event_sum *sum = sum_of(events, number);

	if (sum)
		sum->matched++;
	events->matched++;
}

void events_start_over(struct events *events, bool all_match)
{
	for (size_t i = 0; i < events->count; i++)
		events->totals[i].matched = all_match ? events->totals[i].seen : 0;
	events->matched = all_match ? events->seen : 0;
}

void events_zero(struct events *events)
{
	if (events->count)
		memset(events->totals, 0, events->count * sizeof(*events->totals));
	events->seen = events->matched = events->lost = 0;
}
