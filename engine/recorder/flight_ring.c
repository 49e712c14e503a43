/*
 * flight_ring - the collector's side of the flight recorder's ring. The ring consists of segments.
 * A file can begin with any of them; the oldest one is dropped to make room for new records.
 */
#include "engine/recorder/flight_private.h"

#include "engine/base/clock.h"

#define PUBLISH_BYTES ((uint64_t)64 << 10)
/* The next segment begins after 1/RING_PARTS of the ring or 1/TIME_PARTS of before_ns. */
#define RING_PARTS 8
#define TIME_PARTS 4
#define SEGMENT_NS_MIN (100 * NS_PER_MS)
#define SEGMENT_NS_MAX (60 * NS_PER_S)
/* ... but a segment is at least this many times as large as its snapshot. */
#define SNAPSHOT_TIMES 3

/* -- The ring ------------------------------------------------------------------------------ */

/* Drop the oldest segment. False: only the current segment is left. */
static bool drop_oldest(struct flight *f)
{
	if (f->end_segment - f->first_segment <= 1)
		return false;
	f->first_segment++;
	if (!flight_is_saving(f))
		record_queue_retain_from(&f->ring, flight_segment(f, f->first_segment)->position);
	return true;
}

/* Drop segments that were overwritten after the thread had written them to the file. */
static void drop_overwritten(struct flight *f)
{
	uint64_t oldest = record_queue_oldest(&f->ring);

	while (f->first_segment < f->end_segment &&
	       flight_segment(f, f->first_segment)->position < oldest)
		f->first_segment++;
}

void flight_ring_take_back(struct flight *f)
{
	if (!f->save_until_ns || flight_is_saving(f))
		return;
	f->save_until_ns = 0;
	drop_overwritten(f);
	if (f->first_segment < f->end_segment) {
		record_queue_retain_from(&f->ring, flight_segment(f, f->first_segment)->position);
		return;
	}
	record_queue_retain_from(&f->ring, f->ring.write_at);
	f->due_at = f->due_ns = 0;
}

static bool put_one(struct flight *f, const struct record *record)
{
	while (!record_queue_put(&f->ring, record))
		if (flight_is_saving(f) || !drop_oldest(f))
			return false;
	return true;
}

bool flight_ring_put_mark(struct flight *f, enum flight_item mark, uint64_t value)
{
	while (!record_queue_put_mark(&f->ring, mark, value))
		if (flight_is_saving(f) || !drop_oldest(f))
			return false;
	return true;
}

/* Report missed records before the next record that fits. */
static bool put_missed(struct flight *f, uint64_t time_ns)
{
	const struct record record = {
		.time_ns = time_ns,
		.kind = RECORD_LOST,
		.cpu = f->missed_cpu,
		.lost = { .count = f->pending_missed, .kind = LOSS_OF_ANYTHING },
	};

	if (!put_one(f, &record))
		return false;
	f->pending_missed = 0;
	return true;
}

/* Put the pending end of a snapshot first, or later records would be read as part of it. */
static bool put_owed(struct flight *f, uint64_t time_ns)
{
	if (f->owes_whole && !flight_ring_put_mark(f, FLIGHT_WHOLE, time_ns))
		return false;
	f->owes_whole = false;
	return !f->pending_missed || put_missed(f, time_ns);
}

void flight_ring_publish(struct flight *f)
{
	f->published_at = f->ring.write_at;
	record_queue_publish(&f->ring);
}

static void put(struct flight *f, const struct record *record)
{
	bool owes = __builtin_expect(f->owes_whole || f->pending_missed, 0);

	if ((!owes || put_owed(f, record->time_ns)) && put_one(f, record))
		return;
	f->pending_missed++;
	f->missed++;
	f->missed_cpu = record->cpu;
	if (flight_is_saving(f))
		atomic_fetch_add_explicit(&f->save_missed, 1, memory_order_relaxed);
}

void flight_take(struct flight *f, const struct record *record)
{
	put(f, record);
	if (f->ring.write_at - f->published_at >= PUBLISH_BYTES)
		flight_ring_publish(f);
}

/* -- Segments ------------------------------------------------------------------------------ */

/* Put one record of the snapshot of a segment. */
static void take_known(void *ctx, const struct record *record)
{
	struct flight *f = ctx;

	if (record->kind == RECORD_TASK && record->pid == record->tid) {
		uint64_t space = (uint64_t)spaces_generation(f->options.spaces, record->pid) << 32 |
				 record->pid;

		flight_ring_put_mark(f, FLIGHT_SPACE, space);
		record_queue_put_mark(&f->spaces, FLIGHT_SPACE, space);
	}
	if (!put_one(f, record))
		f->incomplete = true;
}

static uint64_t at_least(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t at_most(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

bool flight_is_due(const struct flight *f)
{
	return f->on && f->ring.write_at >= f->due_at;
}

void flight_begin(struct flight *f, uint64_t now_ns)
{
	uint64_t position, bytes, part = f->ring.size / RING_PARTS;

	if (f->end_segment - f->first_segment == FLIGHT_SEGMENTS)
		drop_oldest(f);
	/* If there is no room, retry later: a file being written needs no further segment. */
	f->due_at = f->ring.write_at + PUBLISH_BYTES;
	if ((f->owes_whole || f->pending_missed) && !put_owed(f, now_ns))
		return;
	position = f->ring.write_at;
	if (!flight_ring_put_mark(f, FLIGHT_SEGMENT, now_ns))
		return;
	*flight_segment(f, f->end_segment++) = (struct flight_segment){ position, now_ns };
	f->incomplete = false;
	f->options.snapshot(f->options.snapshot_ctx, take_known, f);
	f->owes_whole = true;
	put_owed(f, now_ns);
	record_queue_publish(&f->spaces);
	bytes = f->ring.write_at - position;
	/* No file can begin with an incomplete snapshot; retry soon. */
	if (f->incomplete && flight_is_saving(f)) {
		f->end_segment--;
		return;
	}
	f->small = f->incomplete || bytes > f->ring.size / 4;
	f->due_at = f->ring.write_at + at_least(part, SNAPSHOT_TIMES * bytes);
	f->due_ns = now_ns + at_most(at_least(f->settings.before_ns / TIME_PARTS, SEGMENT_NS_MIN),
				     SEGMENT_NS_MAX);
}

void flight_ring_make_room(struct flight *f)
{
	while (f->ring.size - (f->ring.write_at - flight_segment(f, f->first_segment)->position) <
	       f->ring.size / RING_PARTS)
		if (!drop_oldest(f))
			return;
}

const struct flight_segment *flight_ring_choose(struct flight *f, uint64_t from_ns)
{
	uint64_t number = f->end_segment - 1;

	while (number > f->first_segment && flight_segment(f, number)->time_ns > from_ns)
		number--;
	return flight_segment(f, number);
}
