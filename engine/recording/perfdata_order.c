#include "engine/recording/perfdata_order.h"

#include "engine/base/mem.h"
#include "engine/recording/perfdata_blocks.h"

#include <stdlib.h>
#include <string.h>

/* To bound unused bytes, records stay in input blocks while at most this many are in use ... */
#define FREE_BLOCKS_MIN 32
/* ... plus this many times the blocks that the pending records would fill. */
#define FREE_BLOCKS_TIMES 2
/* Number of records by which the prefetch is ahead of delivery. */
#define AHEAD 12

struct ref {
	uint64_t time_ns;
	const struct perf_event_header *header;
};

/* Size of a record's entries in `refs` and `spare`; larger than a small record. */
#define REF_BYTES (2 * sizeof(struct ref))

struct perfdata_order {
	struct ref *refs, *spare; /* in order of arrival until a round ends; spare: for sorting */
	size_t count, cap, spare_cap;
	size_t reported, may_emit; /* refs[reported] to refs[may_emit - 1] are released */
	struct perfdata_blocks blocks; /* blocks of copied records */
	struct perf_block *block; /* the block being filled; NULL: none */
	struct perf_block *done; /* block to give back: its last record was delivered; NULL: none */
	uint64_t newest_ns, round_ns; /* newest time so far, and at the end of the last round */
	uint64_t reported_ns; /* time of the last delivered record */
	size_t bytes; /* bytes of pending records and their refs */
};

struct perfdata_order *perfdata_order_new(void)
{
	return mem_zalloc(1, sizeof(struct perfdata_order));
}

static void give_done(struct perfdata_order *order)
{
	perf_block_give(order->done);
	order->done = NULL;
}

/*
 * Decrement a block's count of pending records. If it is 0, give the block back at the next
 * delivery, as the caller still reads the record; a block that is being filled stays.
 */
static void leave_block(struct perfdata_order *order, struct perf_block *block)
{
	if (--block->live || block->filling)
		return;
	give_done(order);
	order->done = block;
}

void perfdata_order_clear(struct perfdata_order *order)
{
	for (size_t i = order->reported; i < order->count; i++)
		leave_block(order, perf_block_of(order->refs[i].header));
	give_done(order);
	if (order->block)
		perf_block_filled(order->block);
	order->block = NULL;
	order->count = order->reported = order->may_emit = 0;
	order->newest_ns = order->round_ns = 0;
	order->bytes = 0;
}

void perfdata_order_free(struct perfdata_order *order)
{
	if (!order)
		return;
	perfdata_order_clear(order);
	perfdata_blocks_release(&order->blocks);
	free(order->refs);
	free(order->spare);
	free(order);
}

/* -- Sorting ----------------------------------------------------------------------------- */

/* Return the end of the run of ascending times that begins at `from`. */
static size_t run_end(const struct ref *refs, size_t from, size_t end)
{
	size_t at = from + 1;

	while (at < end && refs[at].time_ns >= refs[at - 1].time_ns)
		at++;
	return at < end ? at : end;
}

static void merge_runs(const struct ref *refs, size_t from, size_t middle, size_t end,
		       struct ref *out)
{
	size_t left = from, right = middle;

	for (size_t i = from; i < end; i++) {
		bool take_left = left < middle &&
				 (right == end || refs[left].time_ns <= refs[right].time_ns);

		out[i] = refs[take_left ? left++ : right++];
	}
}

/* Natural merge sort: stable, and fast here because the contents of each ring are already a run. */
static void sort_refs(struct perfdata_order *order)
{
	bool more = true;

	order->spare = mem_grow(order->spare, &order->spare_cap, order->count + 1,
				sizeof(*order->spare));
	while (more) {
		struct ref *sorted = order->spare;
		size_t cap = order->spare_cap, runs = 0;

		for (size_t from = order->reported; from < order->count; runs++) {
			size_t middle = run_end(order->refs, from, order->count);
			size_t end = middle < order->count
					     ? run_end(order->refs, middle, order->count)
					     : middle;

			merge_runs(order->refs, from, middle, end, sorted);
			from = end;
		}
		order->spare = order->refs;
		order->spare_cap = order->cap;
		order->refs = sorted;
		order->cap = cap;
		more = runs > 1;
	}
}

/* Return the index of the first sorted record after this time. */
static size_t count_until(const struct perfdata_order *order, uint64_t time_ns)
{
	size_t low = order->reported, high = order->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (order->refs[middle].time_ns <= time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* -- Adding and delivering --------------------------------------------------------------- */

static struct perf_block *room_for(struct perfdata_order *order, size_t bytes)
{
	struct perf_block *block = order->block;

	if (block && block->used + bytes <= PERF_BLOCK_BYTES)
		return block;
	if (block)
		perf_block_filled(block);
	order->block = perfdata_blocks_take(&order->blocks);
	return order->block;
}

/* Remove the refs of delivered records. */
static void forget_emitted(struct perfdata_order *order)
{
	memmove(order->refs, order->refs + order->reported,
		(order->count - order->reported) * sizeof(*order->refs));
	order->count -= order->reported;
	order->may_emit -= order->reported;
	order->reported = 0;
}

static void emit_half(struct perfdata_order *order)
{
	sort_refs(order);
	order->may_emit = order->reported + (order->count - order->reported) / 2;
}

static void add_ref(struct perfdata_order *order, const struct perf_event_header *header,
		    uint64_t time_ns)
{
	if (order->reported && order->reported == order->may_emit)
		forget_emitted(order);
	if (__builtin_expect(order->count == order->cap, 0))
		order->refs = mem_grow(order->refs, &order->cap, order->count + 1,
				       sizeof(*order->refs));
	order->refs[order->count++] = (struct ref){ .time_ns = time_ns, .header = header };
	perf_block_of(header)->live++;
	order->bytes += header->size + REF_BYTES;
	if (time_ns > order->newest_ns)
		order->newest_ns = time_ns;
	if (order->bytes > PERFDATA_ORDER_BYTES_MAX && order->reported == order->may_emit)
		emit_half(order);
}

void perfdata_order_add(struct perfdata_order *order, const struct perf_event_header *header,
			uint64_t time_ns)
{
	struct perf_block *block = room_for(order, header->size);
	char *copy = (char *)block + block->used;

	memcpy(copy, header, header->size);
	block->used += header->size;
	add_ref(order, (const void *)copy, time_ns);
}

void perfdata_order_store(struct perfdata_order *order, const struct perf_event_header *header,
			  uint64_t time_ns)
{
	size_t blocks = perf_block_of(header)->home->count;

	if (__builtin_expect(blocks > FREE_BLOCKS_MIN, 0) &&
	    blocks > FREE_BLOCKS_MIN + FREE_BLOCKS_TIMES * (order->bytes / PERF_BLOCK_BYTES))
		perfdata_order_add(order, header, time_ns);
	else
		add_ref(order, header, time_ns);
}

void perfdata_order_round(struct perfdata_order *order)
{
	sort_refs(order);
	order->may_emit = count_until(order, order->round_ns);
	order->round_ns = order->newest_ns;
}

void perfdata_order_end(struct perfdata_order *order)
{
	sort_refs(order);
	order->may_emit = order->count;
}

bool perfdata_order_is_ready(const struct perfdata_order *order)
{
	return order->reported < order->may_emit;
}

const struct perf_event_header *perfdata_order_next(struct perfdata_order *order)
{
	const struct ref *ref;

	if (__builtin_expect(order->done != NULL, 0))
		give_done(order);
	if (order->reported == order->may_emit)
		return NULL;
	ref = &order->refs[order->reported++];
	if (order->reported + AHEAD < order->may_emit) {
		__builtin_prefetch(ref[AHEAD].header);
		__builtin_prefetch((const char *)ref[AHEAD].header + 64);
	}
	order->bytes -= ref->header->size + REF_BYTES;
	order->reported_ns = ref->time_ns;
	leave_block(order, perf_block_of(ref->header));
	return ref->header;
}

uint64_t perfdata_order_time(const struct perfdata_order *order)
{
	return order->reported_ns;
}
