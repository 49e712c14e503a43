#include "tui/calls/call_seek.h"

#include "engine/base/clock.h"

/* Length of a step towards the oldest match; keys are handled between steps. */
#define STEP_NS (4 * NS_PER_MS)
/* Batch size. More than one, because gaps match any filter and can precede the match. */
#define OLDEST_CALLS 16
/* Number of rows to load before the place: a few pages. */
#define AROUND 256

void call_seek_begin(struct call_seek *place, struct call_window *window, uint64_t seq)
{
	call_window_seek(window, seq);
	place->seq = seq;
	place->running = true;
	place->oldest = false;
}

void call_seek_begin_oldest(struct call_seek *place)
{
	*place = (struct call_seek){ .running = true, .oldest = true };
}

static unsigned share(uint64_t part, uint64_t whole)
{
	return part < whole ? (unsigned)(part * 100 / whole) : 100;
}

unsigned call_seek_percent(const struct call_seek *place, const struct call_window *window,
			   struct engine *engine)
{
	uint64_t first, end;

	engine_calls_range(engine, &first, &end);
	if (place->oldest)
		return place->seq > first ? share(place->seq - first, end - first) : 0;
	return share(window->newer_seq - window->older_seq, end - first);
}

static enum place_result step_to_oldest(struct call_seek *place, struct call_window *window,
					struct engine *engine, const struct filter *filter,
					uint64_t *seq)
{
	uint64_t seqs[OLDEST_CALLS], first, end, until_ns = clock_now_ns() + STEP_NS;
	struct call calls[OLDEST_CALLS];

	do {
		/* The query skips calls that were evicted meanwhile. */
		size_t count = engine_calls_after(engine, &place->seq, filter, calls, seqs,
						  OLDEST_CALLS);

		for (size_t i = 0; i < count; i++) {
			if (calls[i].state == CALL_GAP)
				continue;
			*seq = seqs[i];
			place->running = false;
			call_window_start(window, *seq, &calls[i]);
			call_window_grow_newer(window, engine, filter, 0);
			return PLACE_FOUND;
		}
		engine_calls_range(engine, &first, &end);
		if (place->seq >= end) {
			place->running = false;
			return PLACE_NOWHERE;
		}
	} while (clock_now_ns() < until_ns);
	return PLACE_GOES_ON;
}

/* Return the number of rows before the place. */
static size_t count_older(const struct call_seek *place, const struct call_window *window)
{
	size_t count = 0;

	while (count < window->count && call_window_at(window, count)->seq < place->seq)
		count++;
	return count;
}

enum place_result call_seek_step(struct call_seek *place, struct call_window *window,
				 struct engine *engine, const struct filter *filter, uint64_t *seq)
{
	uint64_t first, end, before, after;
	size_t older;
	bool has_older, has_newer;

	if (place->oldest)
		return step_to_oldest(place, window, engine, filter, seq);
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
