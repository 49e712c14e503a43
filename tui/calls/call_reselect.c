#include "tui/calls/call_reselect.h"

/*
 * Number of calls to search on either side of the expected place. The history is in order of
 * arrival, which is only close to the order of end times.
 */
#define AROUND 128

static uint64_t end_of(const struct call *call)
{
	return call->dur_ns > 0 ? call->enter_ns + (uint64_t)call->dur_ns : call->enter_ns;
}

void call_reselect_note(struct call_reselect *recall, const struct call *call)
{
	*recall = (struct call_reselect){
		.noted = true, .tid = call->tid, .enter_ns = call->enter_ns, .end_ns = end_of(call)
	};
}

bool call_reselect_is(const struct call_reselect *recall, const struct call *call)
{
	return call->tid == recall->tid && call->enter_ns == recall->enter_ns;
}

/* Return the sequence number of the first call that ended at `time_ns` or later; `end`: none. */
static uint64_t find_time(struct engine *engine, uint64_t first, uint64_t end, uint64_t time_ns)
{
	while (first < end) {
		uint64_t middle = first + (end - first) / 2, at = middle, seq;
		struct call call;

		if (engine_calls_after(engine, &at, NULL, &call, &seq, 1) &&
		    end_of(&call) < time_ns)
			first = middle + 1;
		else
			end = middle;
	}
	return first;
}

bool call_reselect_find(struct call_reselect *recall, struct engine *engine, uint64_t *seq)
{
	struct call calls[2 * AROUND];
	uint64_t seqs[2 * AROUND], first, end, near, from, before;
	size_t count = 0;

	engine_calls_range(engine, &first, &end);
	if (first == end)
		return false;
	recall->noted = false;
	near = find_time(engine, first, end, recall->end_ns);
	from = near - first > AROUND ? near - AROUND : first;
	/* On a busy machine, one query can return too few calls. Stop if it makes no progress. */
	do {
		before = from;
		count += engine_calls_after(engine, &from, NULL, calls + count, seqs + count,
					    2 * AROUND - count);
	} while (from > before && from < end && count < 2 * AROUND);
	for (size_t i = 0; i < count; i++)
		if (call_reselect_is(recall, &calls[i])) {
			*seq = seqs[i];
			return true;
		}
	*seq = near < end ? near : end - 1;
	return true;
}
