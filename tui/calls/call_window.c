#include "tui/calls/call_window.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"

#include <stdlib.h>

#define CHUNK 128
/* Bounds on one step: queries, each for at most CHUNK matches, and their total time. */
#define ROUNDS_MAX 12
#define ROUNDS_NS (2 * NS_PER_MS)
/* Number of rows to load above the last row after a jump to the end: a few pages. */
#define BACKLOG 400

void call_window_init(struct call_window *window)
{
	*window = (struct call_window){
		.rows = mem_alloc(sizeof(*window->rows) * CALL_WINDOW_MAX),
	};
}

void call_window_release(struct call_window *window)
{
	free(window->rows);
	window->rows = NULL;
}

void call_window_clear(struct call_window *window)
{
	window->head = window->count = 0;
	window->placed = false;
}

void call_window_seek(struct call_window *window, uint64_t seq)
{
	window->head = window->count = 0;
	window->older_seq = window->newer_seq = seq;
	window->placed = true;
}

void call_window_start(struct call_window *window, uint64_t seq, const struct call *call)
{
	call_window_seek(window, seq + 1);
	window->rows[0] = (struct call_window_row){ seq, *call };
	window->count = 1;
	window->older_seq = 0;
}

static struct call_window_row *row_at(const struct call_window *window, size_t index)
{
	return &window->rows[(window->head + index) % CALL_WINDOW_MAX];
}

const struct call_window_row *call_window_at(const struct call_window *window, size_t index)
{
	return row_at(window, index);
}

bool call_window_find(const struct call_window *window, uint64_t seq, size_t *index)
{
	size_t low = 0, high = window->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (row_at(window, middle)->seq < seq)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == window->count || row_at(window, low)->seq != seq)
		return false;
	*index = low;
	return true;
}

static void drop_oldest(struct call_window *window, size_t count)
{
	if (!count)
		return;
	window->older_seq = row_at(window, count - 1)->seq + 1;
	window->head = (window->head + count) % CALL_WINDOW_MAX;
	window->count -= count;
}

static void drop_newest(struct call_window *window, size_t count)
{
	if (!count)
		return;
	window->newer_seq = row_at(window, window->count - count)->seq;
	window->count -= count;
}

/* Keep the rows; add a gap for calls that were evicted before the user scrolled to them. */
static void leave_gap(struct call_window *window, uint64_t first)
{
	const struct call *last = &row_at(window, window->count - 1)->call;
	struct call gap = {
		.enter_ns = last->enter_ns,
		.dur_ns = -1,
		.state = CALL_GAP,
		.args = { first - window->newer_seq, CALL_WINDOW_NOT_CACHED },
	};

	*row_at(window, window->count++) = (struct call_window_row){ window->newer_seq, gap };
}

static bool grow_newer(struct call_window *window, struct engine *engine,
		       const struct filter *filter, size_t spare)
{
	struct call calls[CHUNK];
	uint64_t seqs[CHUNK], first, end, until_ns = clock_now_ns() + ROUNDS_NS;
	bool changed = false;

	engine_calls_range(engine, &first, &end);
	if (window->newer_seq < first) {
		if (window->count && window->count < CALL_WINDOW_MAX)
			leave_gap(window, first);
		window->newer_seq = first;
	}
	for (int round = 0;
	     round < ROUNDS_MAX && window->newer_seq < end && (!round || clock_now_ns() < until_ns);
	     round++) {
		size_t room = CALL_WINDOW_MAX - window->count + spare;
		size_t got, over;

		if (!room)
			break;
		got = engine_calls_after(engine, &window->newer_seq, filter, calls, seqs,
					 room < CHUNK ? room : CHUNK);
		over = window->count + got > CALL_WINDOW_MAX ? window->count + got - CALL_WINDOW_MAX
							     : 0;
		drop_oldest(window, over);
		spare -= over < spare ? over : spare;
		for (size_t i = 0; i < got; i++)
			*row_at(window, window->count++) = (struct call_window_row){ seqs[i],
										     calls[i] };
		changed |= got > 0;
	}
	return changed;
}

/* Place an unplaced window at the end of the history. False: it was placed already. */
static bool place(struct call_window *window, struct engine *engine)
{
	uint64_t first, end;

	if (window->placed)
		return false;
	engine_calls_range(engine, &first, &end);
	call_window_seek(window, end);
	return true;
}

bool call_window_grow_newer(struct call_window *window, struct engine *engine,
			    const struct filter *filter, size_t spare)
{
	place(window, engine);
	return grow_newer(window, engine, filter, spare);
}

bool call_window_grow_older(struct call_window *window, struct engine *engine,
			    const struct filter *filter, size_t want, size_t spare)
{
	struct call calls[CHUNK];
	uint64_t seqs[CHUNK], first, end, until_ns = clock_now_ns() + ROUNDS_NS;
	size_t taken = 0;

	place(window, engine);
	engine_calls_range(engine, &first, &end);
	for (int round = 0;
	     round < ROUNDS_MAX && taken < want && (!round || clock_now_ns() < until_ns); round++) {
		size_t room = CALL_WINDOW_MAX - window->count + spare;
		size_t got, over, max = want - taken;

		if (!room || window->older_seq <= first)
			break;
		max = max < CHUNK ? max : CHUNK;
		got = engine_calls_before(engine, &window->older_seq, filter, calls, seqs,
					  room < max ? room : max);
		over = window->count + got > CALL_WINDOW_MAX ? window->count + got - CALL_WINDOW_MAX
							     : 0;
		drop_newest(window, over);
		spare -= over < spare ? over : spare;
		for (size_t i = 0; i < got; i++) {
			window->head = (window->head + CALL_WINDOW_MAX - 1) % CALL_WINDOW_MAX;
			window->count++;
			*row_at(window, 0) = (struct call_window_row){ seqs[i], calls[i] };
		}
		taken += got;
	}
	return taken > 0;
}

/* True if CHUNK of the newest calls match, so that the pane is full after a jump. */
static bool is_dense_at(struct engine *engine, const struct filter *filter, uint64_t end)
{
	struct call calls[CHUNK];
	uint64_t seqs[CHUNK];

	return engine_calls_before(engine, &end, filter, calls, seqs, CHUNK) == CHUNK;
}

bool call_window_follow(struct call_window *window, struct engine *engine,
			const struct filter *filter)
{
	uint64_t first, end;
	bool changed = place(window, engine);

	engine_calls_range(engine, &first, &end);
	if (end - window->newer_seq > CALL_WINDOW_MAX && is_dense_at(engine, filter, end)) {
		call_window_seek(window, end);
		changed = true;
	}
	changed |= grow_newer(window, engine, filter, CALL_WINDOW_MAX);
	if (window->count < BACKLOG)
		changed |= call_window_grow_older(window, engine, filter, BACKLOG - window->count,
						  0);
	return changed;
}
