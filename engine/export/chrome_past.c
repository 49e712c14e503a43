#include "engine/export/chrome_past.h"

#include <stddef.h>

void chrome_past_add(struct chrome_past *past, uint64_t enter_ns, uint64_t end_ns)
{
	size_t at = past->count++ % CHROME_PAST_CALLS;

	past->calls[at].enter_ns = enter_ns;
	past->calls[at].end_ns = end_ns;
}

enum chrome_place chrome_past_place(const struct chrome_past *past, uint64_t from_ns,
				    uint64_t to_ns, uint64_t *at_ns)
{
	uint64_t first = past && past->count > CHROME_PAST_CALLS ? past->count - CHROME_PAST_CALLS
								 : 0;
	uint64_t number = past ? past->count : 0;
	enum chrome_place place = CHROME_LATER;

	/* Newest first: the span lies in a call, or between a later and an earlier one. */
	while (number-- > first) {
		uint64_t enter_ns = past->calls[number % CHROME_PAST_CALLS].enter_ns;
		uint64_t end_ns = past->calls[number % CHROME_PAST_CALLS].end_ns;

		if (enter_ns > to_ns) {
			place = CHROME_BETWEEN;
			continue;
		}
		if (end_ns > from_ns) {
			/* A slice does not include its end. */
			from_ns = enter_ns > from_ns ? enter_ns : from_ns;
			to_ns = end_ns - 1 < to_ns ? end_ns - 1 : to_ns;
			place = CHROME_IN_CALL;
		}
		break;
	}
	*at_ns = from_ns + (to_ns - from_ns) / 2;
	return place;
}
