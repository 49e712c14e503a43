#include "tui/call_place.h"

/* What is there around the place once it is found: some pages. */
#define AROUND 256

void call_place_begin(struct call_place *place, struct call_window *window, uint64_t seq)
{
	call_window_seek(window, seq);
	place->seq = seq;
	place->running = true;
}

/* How many rows are before the place. */
static size_t count_older(const struct call_place *place, const struct call_window *window)
{
	size_t count = 0;

	while (count < window->count && call_window_at(window, count)->seq < place->seq)
		count++;
	return count;
}

enum place_result call_place_step(struct call_place *place, struct call_window *window,
				  struct engine *engine, const struct filter *filter,
				  uint64_t *seq)
{
	uint64_t first, end, before, after;
	size_t older;
	bool has_older, has_newer;

	engine_calls_range(engine, &first, &end);
	older = count_older(place, window);
	if (older == window->count && window->newer_seq < end)
		call_window_grow_newer(window, engine, filter, 0);
	if (!older && window->older_seq > first)
		call_window_grow_older(window, engine, filter, AROUND, 0);
	older = count_older(place, window);
	has_older = older > 0;
	has_newer = older < window->count;
	if ((!has_newer && window->newer_seq < end) || (!has_older && window->older_seq > first))
		return PLACE_GOES_ON;
	place->running = false;
	if (!window->count)
		return PLACE_NOWHERE;
	before = has_older ? call_window_at(window, older - 1)->seq : 0;
	after = has_newer ? call_window_at(window, older)->seq : 0;
	*seq = !has_older || (has_newer && after - place->seq <= place->seq - before) ? after
											: before;
	return PLACE_FOUND;
}
