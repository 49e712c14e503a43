#include "engine/model/history.h"

#include "engine/base/mem.h"
#include "engine/model/arena.h"
#include "engine/model/call_pack.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Size of a block. Packed calls fill it from the front, their offsets from the end. */
#define BLOCK_BYTES ((size_t)8 << 10)
#define BLOCK_SLOTS (BLOCK_BYTES / sizeof(uint16_t))
#define CALL_ROOM (CALL_PACK_BYTES_MAX + CALL_PACK_SLACK + sizeof(uint16_t))
#define BLOCK_CALLS_MIN (BLOCK_BYTES / CALL_ROOM) /* at least this many calls fit */
/* Bytes of the ring and of the table that a block takes. */
#define BLOCK_WHOLE (BLOCK_BYTES + sizeof(struct block))
#define BLOCKS_MIN (HISTORY_BYTES_MIN / BLOCK_WHOLE)
/* Maximum size of the chunks of one call, including those of its enter. */
#define CALL_BYTES_MAX (64u << 10)
/*
 * With argument memory, a block is filled only until this part of the ring was put since its start:
 * it must not be evicted while it is filled.
 */
#define FILL_PART 8
/* Bytes that blocks begun early, and the unused end of the ring, can take in addition. */
#define ROOM_LOST ((FILL_PART + 3) * BLOCK_BYTES + CALL_BYTES_MAX + ARENA_HEADER_BYTES)

/* With a lossless reader, argument memory leaves this part of the ring to calls. */
#define ROWS_PART 4

struct block {
	uint64_t first; /* sequence number of its first call */
	uint64_t base_ns; /* time base of its calls, see call_pack.h */
	uint64_t at; /* position in the arena */
};

_Static_assert((BLOCKS_MIN - 1) * BLOCK_CALLS_MIN >= HISTORY_CALLS_MIN, "beside the newest block");

struct history {
	struct arena
		arena; /* blocks, and between them argument memory, in the order of the calls */
	struct block *blocks; /* block n is at n % block_count */
	size_t block_count; /* maximum number of blocks in the arena */
	/* Numbers of the blocks in use; never reused. The newest block is being filled. */
	uint64_t first_block, end_block;
	unsigned char *filling; /* place of the newest block */
	uint64_t filling_at, filling_until; /* its position, and where filling it must end */
	size_t filled; /* bytes of its calls */
	uint32_t filled_calls;
	uint64_t looked; /* block that was read last */
	uint64_t first, end;
	bool keeps_none;
	bool keeps_bytes;
	/* The lossless reader holds call hold_seq and later ones, from block hold_block on. */
	bool has_reader;
	uint64_t hold_seq;
	uint64_t hold_block;
};

static size_t room_of_rows(const struct history *history)
{
	return history->arena.bytes / ROWS_PART;
}

/* Make a ring that blocks alone fill: their positions begin after the header of a blob. */
static int make_ring(struct history *history, size_t bytes, struct err *err)
{
	size_t count = bytes / BLOCK_WHOLE;
	struct arena arena;
	int rc = arena_init(&arena, count * BLOCK_BYTES + ARENA_HEADER_BYTES, err);

	if (rc < 0)
		return rc;
	arena_release(&history->arena);
	history->arena = arena;
	free(history->blocks);
	history->blocks = mem_zalloc(count, sizeof(*history->blocks));
	history->block_count = count;
	return 0;
}

int history_new(struct history **history, size_t bytes, struct err *err)
{
	struct history *made = mem_zalloc(1, sizeof(*made));
	int rc = make_ring(made, bytes < HISTORY_BYTES_MIN ? HISTORY_BYTES_MIN : bytes, err);

	if (rc < 0) {
		free(made);
		return rc;
	}
	*history = made;
	return 0;
}

void history_free(struct history *history)
{
	if (!history)
		return;
	free(history->blocks);
	arena_release(&history->arena);
	free(history);
}

int history_store_bytes(struct history *history, struct err *err)
{
	int rc = 0;

	if (history->arena.bytes < HISTORY_POINTED_MIN)
		rc = make_ring(history, HISTORY_POINTED_MIN + BLOCK_WHOLE * BLOCKS_MIN, err);
	history->keeps_bytes = rc >= 0;
	return rc;
}

void history_shorten(struct history *history, size_t bytes)
{
	size_t least = history->keeps_bytes ? HISTORY_POINTED_MIN : HISTORY_BYTES_MIN;
	struct err err;

	history->keeps_none = !bytes;
	if (bytes < least)
		bytes = least;
	/* A failure leaves the longer ring, which works as well. */
	if (bytes < history->arena.bytes)
		make_ring(history, bytes, &err);
}

/* -- Blocks ---------------------------------------------------------------------- */

static struct block *block_of(const struct history *history, uint64_t number)
{
	return &history->blocks[number % history->block_count];
}

/* Evict the blocks that the newest block or blob has overwritten. */
static void evict(struct history *history)
{
	uint64_t number = history->first_block;

	while (number < history->end_block &&
	       arena_is_gone(&history->arena, block_of(history, number)->at))
		number++;
	if (number == history->first_block)
		return;
	history->first_block = number;
	history->first = number < history->end_block ? block_of(history, number)->first
						     : history->end;
}

static unsigned char *place_of(const struct history *history, uint64_t number)
{
	const struct arena *arena = &history->arena;

	return arena->ring + block_of(history, number)->at % arena->bytes;
}

static void begin_block(struct history *history, uint64_t base_ns)
{
	uint64_t at = arena_take(&history->arena, BLOCK_BYTES);
	uint64_t number = history->end_block;

	/* First evict: the table has room for as many blocks as the ring. */
	evict(history);
	*block_of(history,
		  number) = (struct block){ .first = history->end, .base_ns = base_ns, .at = at };
	history->end_block++;
	history->filling = place_of(history, number);
	history->filling_at = at;
	history->filling_until = history->keeps_bytes
					 ? history->arena.end + history->arena.bytes / FILL_PART
					 : UINT64_MAX;
	history->filled = 0;
	history->filled_calls = 0;
}

static bool has_room(const struct history *history)
{
	return history->filled + history->filled_calls * sizeof(uint16_t) + CALL_ROOM <=
		       BLOCK_BYTES &&
	       history->end_block != history->first_block &&
	       history->arena.end <= history->filling_until;
}

/* Return the number of calls of any kind that fit into the newest block. */
static size_t room_in_block(const struct history *history)
{
	if (!has_room(history))
		return 0;
	return (BLOCK_BYTES - history->filled - history->filled_calls * sizeof(uint16_t)) /
	       CALL_ROOM;
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

/* -- Argument memory ------------------------------------------------------------- */

/* Return how many bytes can be put without evicting a held call. */
static size_t room_bytes(const struct history *history)
{
	uint64_t number = history->hold_block;

	if (number < history->first_block)
		number = history->first_block;
	if (history_is_held(history) && number < history->end_block)
		return arena_room(&history->arena, block_of(history, number)->at);
	/* The newest block does not count as free: the next call may go into it. */
	return arena_room(&history->arena,
			  has_room(history) ? history->filling_at : history->arena.end);
}

static uint64_t put_bytes(struct history *history, const void *first, size_t first_len,
			  const void *more, size_t more_len)
{
	uint64_t at;

	if (!history->keeps_bytes)
		return 0;
	if (__builtin_expect(history->has_reader, 0) &&
	    room_bytes(history) < first_len + more_len + ROOM_LOST + room_of_rows(history))
		return 0;
	at = arena_put(&history->arena, first, first_len, more, more_len);
	evict(history);
	return at;
}

uint64_t history_put_bytes(struct history *history, const struct record_bytes *bytes)
{
	return put_bytes(history, bytes->chunks, bytes->len, NULL, 0);
}

const void *history_bytes(const struct history *history, const struct call *call, size_t *len)
{
	return arena_get(&history->arena, call->bytes_at, len);
}

/* Stores the bytes of the enter again, so that the ring has the order of the calls. */
uint64_t history_join_bytes(struct history *history, const struct call *call,
			    const struct record_bytes *bytes)
{
	const void *before;
	size_t len;

	if (bytes && !bytes->more)
		return history_put_bytes(history, bytes);
	before = history_bytes(history, call, &len);
	return put_bytes(history, before, len, bytes ? bytes->chunks : NULL,
			 bytes ? bytes->len : 0);
}

/* -- Calls ----------------------------------------------------------------------- */

static void put_packed(struct history *history, const struct call *call)
{
	uint16_t at;
	uint16_t *slots;

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
	/* The block comes before the bytes, so that a call is evicted before its bytes. */
	if (__builtin_expect(!has_room(history), 0))
		begin_block(history, call->enter_ns);
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
	history->has_reader = true;
	if (seq < history->first)
		seq = history->first;
	if (seq > history->end)
		seq = history->end;
	history->hold_seq = seq;
	if (!history_is_held(history))
		return;
	history->hold_block = find_block(history, seq);
}

void history_unhold(struct history *history)
{
	history->has_reader = false;
}

bool history_is_held(const struct history *history)
{
	return history->has_reader && history->hold_seq < history->end;
}

size_t history_room(const struct history *history, size_t reserved, uint64_t oldest_at)
{
	size_t bytes, rows, kept, with_bytes;

	if (!history->has_reader)
		return SIZE_MAX;
	bytes = room_bytes(history);
	if (oldest_at && arena_room(&history->arena, oldest_at) < bytes)
		bytes = arena_room(&history->arena, oldest_at);
	rows = bytes / BLOCK_BYTES * BLOCK_CALLS_MIN + room_in_block(history);
	rows = rows > reserved ? rows - reserved : 0;
	if (!history->keeps_bytes)
		return rows;
	kept = (reserved / BLOCK_CALLS_MIN + 1) * BLOCK_BYTES;
	if (kept < room_of_rows(history))
		kept = room_of_rows(history);
	kept += ROOM_LOST;
	with_bytes = bytes > kept ? (bytes - kept) / CALL_BYTES_MAX : 0;
	return rows < with_bytes ? rows : with_bytes;
}

void history_memory(const struct history *history, size_t *rows, size_t *bytes, size_t *bound)
{
	const struct arena *arena = &history->arena;

	*bound = arena->bytes + history->block_count * sizeof(struct block);
	*rows = (size_t)(history->end_block - history->first_block) * BLOCK_WHOLE;
	*bytes = arena->end < arena->bytes ? (size_t)arena->end : arena->bytes;
	*bytes -= *bytes < *rows ? *bytes : *rows;
}
