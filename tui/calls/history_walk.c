#include "tui/calls/history_walk.h"

#include "engine/base/clock.h"

/* Number of calls between reads of the clock; low, because testing one can format a whole row. */
#define CHUNK 64

void history_walk_begin(struct history_walk *walk, struct engine *engine, uint64_t seq,
			bool forward, bool goes_round)
{
	uint64_t first;

	*walk = (struct history_walk){ .forward = forward, .goes_round = goes_round };
	engine_calls_range(engine, &first, &walk->end);
	if (seq > walk->end)
		seq = walk->end;
	walk->seq = walk->origin = seq > first ? seq : first;
}

/* Return where to stop: at an end of the history or, after the walk wrapped, at its origin. */
static uint64_t limit(const struct history_walk *walk, uint64_t first)
{
	if (walk->turned)
		return walk->origin > first ? walk->origin : first;
	return walk->forward ? walk->end : first;
}

static bool is_there(const struct history_walk *walk, uint64_t first)
{
	uint64_t end = limit(walk, first);

	return walk->forward ? walk->seq >= end : walk->seq <= end;
}

static enum walk_result turn(struct history_walk *walk, uint64_t first)
{
	if (walk->turned || !walk->goes_round)
		return WALK_ENDED;
	walk->turned = true;
	walk->seq = walk->forward ? first : walk->end;
	return WALK_TURNED;
}

/* Return how many of these calls lie before limit(). */
static size_t count_within(const struct history_walk *walk, const uint64_t *seqs, size_t count,
			   uint64_t first)
{
	uint64_t end = limit(walk, first);
	size_t within = 0;

	while (within < count && (walk->forward ? seqs[within] < end : seqs[within] >= end))
		within++;
	return within;
}

enum walk_result history_walk_step(struct history_walk *walk, struct engine *engine,
				   const struct filter *filter, uint64_t until_ns,
				   walk_match_fn *matches, void *ctx)
{
	struct call calls[CHUNK];
	uint64_t seqs[CHUNK], first, end;

	do {
		size_t count, within, match;

		engine_calls_range(engine, &first, &end);
		/* Skip calls that were evicted meanwhile. */
		if (walk->forward && walk->seq < first)
			walk->seq = first;
		if (is_there(walk, first))
			return turn(walk, first);
		count = walk->forward
				? engine_calls_after(engine, &walk->seq, filter, calls, seqs, CHUNK)
				: engine_calls_before(engine, &walk->seq, filter, calls, seqs,
						      CHUNK);
		within = count_within(walk, seqs, count, first);
		match = matches(ctx, calls, within);
		if (match < within) {
			walk->found = seqs[match];
			walk->seq = walk->forward ? walk->found + 1 : walk->found;
			return WALK_FOUND;
		}
		if (within < count)
			return turn(walk, first);
	} while (clock_now_ns() < until_ns);
	return WALK_GOES_ON;
}

unsigned history_walk_percent(const struct history_walk *walk, struct engine *engine)
{
	uint64_t first, end, gone, all;

	engine_calls_range(engine, &first, &end);
	if (walk->end <= first)
		return 100;
	all = walk->end - first;
	if (walk->forward)
		gone = walk->turned ? walk->end - walk->origin + (walk->seq - first)
				    : walk->seq - walk->origin;
	else
		gone = walk->turned ? walk->origin - first + (walk->end - walk->seq)
				    : walk->origin - walk->seq;
	if (!walk->goes_round)
		all = walk->forward ? walk->end - walk->origin : walk->origin - first;
	return gone >= all ? 100 : (unsigned)(gone * 100 / all);
}
