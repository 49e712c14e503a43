#include "engine/model/history.h"

#include "engine/base/mem.h"
#include "engine/model/arena.h"
#include "engine/model/call_pack.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Size of a block. Packed calls fill it from the front, their offsets from the end. */
#define BLOCK_BYTES ((size_t)8 << 10)
#define BLOCK_SLOTS (BLOCK_BYTES / sizeof(uint16_t))
#define CALL_ROOM (CALL_PACK_BYTES_MAX + CALL_PACK_SLACK + sizeof(uint16_t))
#define BLOCK_CALLS_MIN (BLOCK_BYTES / CALL_ROOM) /* at least this many calls fit */
#define BLOCKS_MIN (HISTORY_BYTES_MIN / (BLOCK_BYTES + sizeof(struct block)))

struct block {
	uint64_t first; /* sequence number of its first call */
	uint64_t base_ns; /* time base of its calls, see call_pack.h */
};

_Static_assert((BLOCKS_MIN - 1) * BLOCK_CALLS_MIN >= HISTORY_CALLS_MIN, "beside the newest block");

struct history {
	unsigned char *ring; /* block_count blocks; block n is at n % block_count */
	struct block *blocks;
	size_t block_count;
	/* Numbers of the blocks in use; never reused. The newest block is being filled. */
	uint64_t first_block, end_block;
	unsigned char *filling; /* place of the newest block */
	size_t filled; /* bytes of its calls */
	uint32_t filled_calls;
	uint64_t looked; /* block that was read last */
	uint64_t first, end;
	bool keeps_none;
	struct arena arena; /* argument memory, in the order of the calls */
	/*
	 * The lossless reader holds call hold_seq and later ones. They begin in block hold_block;
	 * their memory begins at arena position arena_hold.
	 */
	bool has_reader;
	uint64_t hold_seq;
	uint64_t hold_block;
	uint64_t arena_hold;
};

/* Maximum size of the chunks of one call, including those of its enter. */
#define CALL_BYTES_MAX (64u << 10)

int history_new(struct history **history, size_t bytes, struct err *err)
{
	struct history *made;
	size_t count;
	void *ring;

	if (bytes < HISTORY_BYTES_MIN)
		bytes = HISTORY_BYTES_MIN;
	count = bytes / (BLOCK_BYTES + sizeof(struct block));
	ring = mmap(NULL, count * BLOCK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		    -1, 0);
	if (ring == MAP_FAILED)
		return err_set(
			err, -ENOMEM,
			"cannot reserve %zu MiB for the history: %s; use a smaller --history",
			bytes >> 20, strerror(errno));
	/* Huge pages: the first touch of each page is on the collector's hot path. */
	madvise(ring, count * BLOCK_BYTES, MADV_HUGEPAGE);
	made = mem_zalloc(1, sizeof(*made));
	made->ring = ring;
	made->blocks = mem_zalloc(count, sizeof(*made->blocks));
	made->block_count = count;
	*history = made;
	return 0;
}

void history_free(struct history *history)
{
	if (!history)
		return;
	munmap(history->ring, history->block_count * BLOCK_BYTES);
	free(history->blocks);
	arena_release(&history->arena);
	free(history);
}

int history_store_bytes(struct history *history, size_t bytes, struct err *err)
{
	return arena_init(&history->arena,
			  bytes < HISTORY_POINTED_MIN ? HISTORY_POINTED_MIN : bytes, err);
}

int history_share(struct history *history, size_t parts, struct err *err)
{
	size_t given = history->block_count / parts;

	if (history->arena.bytes)
		return 0;
	if (history->block_count - given < BLOCKS_MIN)
		given = history->block_count - BLOCKS_MIN;
	history->block_count -= given;
	munmap(history->ring + history->block_count * BLOCK_BYTES, given * BLOCK_BYTES);
	return history_store_bytes(history, given * BLOCK_BYTES, err);
}

void history_shorten(struct history *history, size_t bytes)
{
	size_t wanted = bytes / (BLOCK_BYTES + sizeof(struct block));
	size_t given;

	history->keeps_none = !bytes;
	if (wanted < BLOCKS_MIN)
		wanted = BLOCKS_MIN;
	if (wanted >= history->block_count)
		return;
	given = history->block_count - wanted;
	history->block_count = wanted;
	munmap(history->ring + wanted * BLOCK_BYTES, given * BLOCK_BYTES);
}

uint64_t history_put_bytes(struct history *history, const struct record_bytes *bytes)
{
	return arena_put(&history->arena, bytes->chunks, bytes->len, NULL, 0);
}

const void *history_bytes(const struct history *history, const struct call *call, size_t *len)
{
	return arena_get(&history->arena, call->bytes_at, len);
}

/* Stores the bytes of the enter again, so that the arena has the order of the calls. */
uint64_t history_join_bytes(struct history *history, const struct call *call,
			    const struct record_bytes *bytes)
{
	const void *before;
	size_t len;

	if (bytes && !bytes->more)
		return history_put_bytes(history, bytes);
	before = history_bytes(history, call, &len);
	return arena_put(&history->arena, before, len, bytes ? bytes->chunks : NULL,
			 bytes ? bytes->len : 0);
}

/* -- Blocks ---------------------------------------------------------------------- */

static struct block *block_of(const struct history *history, uint64_t number)
{
	return &history->blocks[number % history->block_count];
}

static unsigned char *place_of(const struct history *history, uint64_t number)
{
	return history->ring + number % history->block_count * BLOCK_BYTES;
}

static void begin_block(struct history *history, uint64_t base_ns)
{
	uint64_t number = history->end_block++;

	if (history->end_block - history->first_block > history->block_count) {
		history->first_block++;
		history->first = block_of(history, history->first_block)->first;
	}
	*block_of(history, number) = (struct block){ .first = history->end, .base_ns = base_ns };
	history->filling = place_of(history, number);
	history->filled = 0;
	history->filled_calls = 0;
}

/* Return the number of calls of any kind that fit into the newest block. */
static size_t room_in_block(const struct history *history)
{
	if (history->end_block == history->first_block)
		return 0;
	return (BLOCK_BYTES - history->filled - history->filled_calls * sizeof(uint16_t)) /
	       CALL_ROOM;
}

static bool has_room(const struct history *history)
{
	return history->filled + history->filled_calls * sizeof(uint16_t) + CALL_ROOM <=
		       BLOCK_BYTES &&
	       history->end_block != history->first_block;
}

static uint64_t end_of_block(const struct history *history, uint64_t number)
{
	return number + 1 == history->end_block ? history->end
						: block_of(history, number + 1)->first;
}

static bool is_in_block(const struct history *history, uint64_t number, uint64_t seq)
{
	return number >= history->first_block && number < history->end_block &&
	       seq >= block_of(history, number)->first && seq < end_of_block(history, number);
}

/* Return the block that contains call `seq`, which must be present. */
static uint64_t find_block(const struct history *history, uint64_t seq)
{
	uint64_t low = history->first_block, high = history->end_block;

	while (high - low > 1) {
		uint64_t middle = low + (high - low) / 2;

		if (block_of(history, middle)->first <= seq)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static uint64_t find_near(const struct history *history, uint64_t seq)
{
	uint64_t looked = history->looked;

	if (is_in_block(history, looked, seq))
		return looked;
	if (is_in_block(history, looked + 1, seq))
		return looked + 1;
	if (is_in_block(history, looked - 1, seq))
		return looked - 1;
	return find_block(history, seq);
}

/* -- Calls ----------------------------------------------------------------------- */

static void put_packed(struct history *history, const struct call *call)
{
	uint16_t at;
	uint16_t *slots;

	if (__builtin_expect(!has_room(history), 0))
		begin_block(history, call->enter_ns);
	at = (uint16_t)history->filled;
	slots = (uint16_t *)(void *)history->filling;
	slots[BLOCK_SLOTS - 1 - history->filled_calls++] = at;
	history->filled += call_pack(history->filling + at, call,
				     block_of(history, history->end_block - 1)->base_ns);
	history->end++;
}

/* Hold the call that is put next: at present, no call is held. */
static void hold_next(struct history *history)
{
	uint64_t newest = history->end_block - (history->end_block > history->first_block);

	history->hold_block = has_room(history) ? newest : history->end_block;
	history->arena_hold = history->arena.end;
}

void history_put(struct history *history, const struct call *call, const struct record_bytes *bytes)
{
	struct call with_bytes;

	if (history->keeps_none) {
		history->first = ++history->end;
		return;
	}
	if (__builtin_expect(history->has_reader, 0) && history->end == history->hold_seq)
		hold_next(history);
	if (__builtin_expect(bytes || call->bytes_at, 0)) {
		with_bytes = *call;
		with_bytes.bytes_at = history_join_bytes(history, call, bytes);
		call = &with_bytes;
	}
	put_packed(history, call);
}

uint64_t history_first(const struct history *history)
{
	return history->first;
}

uint64_t history_end(const struct history *history)
{
	return history->end;
}

bool history_get(struct history *history, uint64_t seq, struct call *call)
{
	const struct block *block;
	const unsigned char *place;
	const uint16_t *slots;

	if (seq < history->first || seq >= history->end)
		return false;
	history->looked = find_near(history, seq);
	block = block_of(history, history->looked);
	place = place_of(history, history->looked);
	slots = (const uint16_t *)(const void *)place;
	call_unpack(call, place + slots[BLOCK_SLOTS - 1 - (seq - block->first)], block->base_ns);
	return true;
}

size_t history_read(struct history *history, uint64_t seq, struct call *calls, size_t max)
{
	size_t count = 0;

	if (seq < history->first)
		return 0;
	while (count < max && seq < history->end) {
		uint64_t number = find_near(history, seq);
		const struct block *block = block_of(history, number);
		const unsigned char *place = place_of(history, number);
		const uint16_t *slots = (const uint16_t *)(const void *)place + BLOCK_SLOTS - 1;
		uint64_t end = end_of_block(history, number);

		for (; seq < end && count < max; seq++)
			call_unpack(&calls[count++], place + *(slots - (seq - block->first)),
				    block->base_ns);
		history->looked = number;
	}
	return count;
}

void history_clear(struct history *history)
{
	history->first = history->end;
	history->first_block = history->end_block;
}

size_t history_bytes_used(const struct history *history)
{
	return (size_t)(history->end_block - history->first_block) * BLOCK_BYTES;
}

/* -- Lossless reader ------------------------------------------------------------- */

void history_hold(struct history *history, uint64_t seq)
{
	struct call call;

	history->has_reader = true;
	if (seq < history->first)
		seq = history->first;
	if (seq > history->end)
		seq = history->end;
	history->hold_seq = seq;
	if (!history_is_held(history))
		return;
	history->hold_block = find_block(history, seq);
	/* For a call without argument memory, the position of an earlier call stays held. */
	if (history_get(history, seq, &call) && call.bytes_at)
		history->arena_hold = call.bytes_at;
}

void history_unhold(struct history *history)
{
	history->has_reader = false;
}

bool history_is_held(const struct history *history)
{
	return history->has_reader && history->hold_seq < history->end;
}

size_t history_room(const struct history *history)
{
	uint64_t from = history->hold_block, newest;

	if (!history->has_reader)
		return SIZE_MAX;
	newest = history->end_block - (history->end_block > history->first_block);
	/* The newest block does not count as free: the next call may go into it. */
	if (!history_is_held(history) || from > newest)
		from = newest;
	if (from < history->first_block)
		from = history->first_block;
	return (history->block_count - (size_t)(history->end_block - from)) * BLOCK_CALLS_MIN +
	       room_in_block(history);
}

size_t history_bytes_room(const struct history *history)
{
	uint64_t from = history_is_held(history) ? history->arena_hold : history->arena.end;

	if (!history->has_reader || !history->arena.bytes)
		return SIZE_MAX;
	return arena_room(&history->arena, from) / CALL_BYTES_MAX;
}

void history_memory(const struct history *history, size_t *rows, size_t *rows_bound, size_t *bytes,
		    size_t *bytes_bound)
{
	const struct arena *arena = &history->arena;

	*rows_bound = history->block_count * (BLOCK_BYTES + sizeof(struct block));
	*rows = history->end_block < history->block_count
			? (size_t)history->end_block * (BLOCK_BYTES + sizeof(struct block))
			: *rows_bound;
	*bytes_bound = arena->bytes;
	*bytes = arena->end < arena->bytes ? (size_t)arena->end : arena->bytes;
}
