#include "engine/recording/perf_order.h"

#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Blocks begin at multiples of their size, so a record's is known by its address. */
#define BLOCK_BYTES ((size_t)1 << 20)
/* So many are kept for later, as memory that is new takes the kernel as long as a copy. */
#define SPARE_BLOCKS 32

/* Copies of records behind it; goes to the spare ones when the last was told. */
struct block {
	size_t used, live; /* bytes, of these too; records */
	struct block *next; /* of the spare ones */
};

struct ref {
	uint64_t time_ns;
	const struct perf_event_header *header;
};

/* Of a record: small ones take more of these than for themselves. */
#define REF_BYTES (2 * sizeof(struct ref))

struct perf_order {
	struct ref *refs, *spare; /* in the order of arrival; after a round sorted up to `sorted` */
	size_t count, cap, spare_cap;
	size_t told, may_tell; /* refs[told] to refs[may_tell] are next */
	struct block *block; /* that is being filled; NULL: none */
	struct block *done;  /* of the record told last, if it was the block's last */
	struct block *spare_blocks;
	size_t spare_block_count;
	uint64_t newest_ns, round_ns; /* the newest so far, and when the last round ended */
	uint64_t told_ns; /* of the record told last */
	size_t bytes; /* of records not told */
};

struct perf_order *perf_order_new(void)
{
	return mem_zalloc(1, sizeof(struct perf_order));
}

static struct block *block_of(const struct ref *ref)
{
	return (struct block *)((uintptr_t)ref->header & ~(uintptr_t)(BLOCK_BYTES - 1));
}

static void spare_block(struct perf_order *order, struct block *block)
{
	if (!block)
		return;
	if (order->spare_block_count == SPARE_BLOCKS) {
		free(block);
		return;
	}
	block->next = order->spare_blocks;
	order->spare_blocks = block;
	order->spare_block_count++;
}

static struct block *new_block(struct perf_order *order)
{
	struct block *block = order->spare_blocks;

	if (block) {
		order->spare_blocks = block->next;
		order->spare_block_count--;
	} else {
		block = mem_alloc_aligned(BLOCK_BYTES, BLOCK_BYTES);
	}
	block->used = sizeof(*block);
	block->live = 0;
	return block;
}

/* One record less is in it; the one being filled stays. */
static void leave_block(struct perf_order *order, struct block *block)
{
	if (--block->live || block == order->block)
		return;
	spare_block(order, order->done);
	order->done = block;
}

void perf_order_clear(struct perf_order *order)
{
	for (size_t i = order->told; i < order->count; i++)
		leave_block(order, block_of(&order->refs[i]));
	spare_block(order, order->done);
	spare_block(order, order->block);
	order->done = order->block = NULL;
	order->count = order->told = order->may_tell = 0;
	order->newest_ns = order->round_ns = 0;
	order->bytes = 0;
}

void perf_order_free(struct perf_order *order)
{
	if (!order)
		return;
	perf_order_clear(order);
	while (order->spare_blocks) {
		struct block *block = order->spare_blocks;

		order->spare_blocks = block->next;
		free(block);
	}
	free(order->refs);
	free(order->spare);
	free(order);
}

/* -- Sorting ----------------------------------------------------------------------------- */

/* The end of the run that begins here: of times that do not fall. */
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

/*
 * What the rings held are runs already, so a merge sort that takes runs as it finds them
 * has little to do; it leaves equal times as they were.
 */
static void sort_refs(struct perf_order *order)
{
	bool more = true;

	order->spare = mem_grow(order->spare, &order->spare_cap, order->count + 1,
				sizeof(*order->spare));
	while (more) {
		struct ref *sorted = order->spare;
		size_t cap = order->spare_cap, runs = 0;

		for (size_t from = order->told; from < order->count; runs++) {
			size_t middle = run_end(order->refs, from, order->count);
			size_t end = middle < order->count
				? run_end(order->refs, middle, order->count) : middle;

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

/* The number of those, sorted, that are not newer. */
static size_t count_until(const struct perf_order *order, uint64_t time_ns)
{
	size_t low = order->told, high = order->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (order->refs[middle].time_ns <= time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* -- In and out -------------------------------------------------------------------------- */

static struct block *room_for(struct perf_order *order, size_t bytes)
{
	struct block *block = order->block;

	if (block && block->used + bytes <= BLOCK_BYTES)
		return block;
	if (block && !block->live)
		spare_block(order, block);
	order->block = new_block(order);
	return order->block;
}

/* Refs that were told leave their places. */
static void forget_told(struct perf_order *order)
{
	memmove(order->refs, order->refs + order->told,
		(order->count - order->told) * sizeof(*order->refs));
	order->count -= order->told;
	order->may_tell -= order->told;
	order->told = 0;
}

static void tell_half(struct perf_order *order)
{
	sort_refs(order);
	order->may_tell = order->told + (order->count - order->told) / 2;
}

void perf_order_add(struct perf_order *order, const struct perf_event_header *header,
		    uint64_t time_ns)
{
	struct block *block = room_for(order, header->size);
	char *copy = (char *)block + block->used;

	if (order->told && order->told == order->may_tell)
		forget_told(order);
	memcpy(copy, header, header->size);
	block->used += header->size;
	block->live++;
	order->refs = mem_grow(order->refs, &order->cap, order->count + 1, sizeof(*order->refs));
	order->refs[order->count++] = (struct ref){ .time_ns = time_ns,
						    .header = (const void *)copy };
	order->bytes += header->size + REF_BYTES;
	if (time_ns > order->newest_ns)
		order->newest_ns = time_ns;
	if (order->bytes > PERF_ORDER_BYTES_MAX && order->told == order->may_tell)
		tell_half(order);
}

void perf_order_round(struct perf_order *order)
{
	sort_refs(order);
	order->may_tell = count_until(order, order->round_ns);
	order->round_ns = order->newest_ns;
}

void perf_order_end(struct perf_order *order)
{
	sort_refs(order);
	order->may_tell = order->count;
}

bool perf_order_is_ready(const struct perf_order *order)
{
	return order->told < order->may_tell;
}

const struct perf_event_header *perf_order_next(struct perf_order *order)
{
	const struct ref *ref;

	spare_block(order, order->done);
	order->done = NULL;
	if (order->told == order->may_tell)
		return NULL;
	ref = &order->refs[order->told++];
	order->bytes -= ref->header->size + REF_BYTES;
	order->told_ns = ref->time_ns;
	leave_block(order, block_of(ref));
	return ref->header;
}

uint64_t perf_order_time(const struct perf_order *order)
{
	return order->told_ns;
}
