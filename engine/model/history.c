#include "engine/model/history.h"

#include "engine/base/mem.h"
#include "engine/model/arena.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct history {
	struct call *ring;
	size_t capacity; /* calls */
	size_t bytes;    /* mapped */
	size_t next;     /* place of the next put: end % capacity, without the division */
	uint64_t first, end;
	uint64_t hold;
	bool held;
	struct arena arena; /* of what calls point to, in the order of the calls */
	uint64_t arena_hold;
};

/* More than the chunks of any one call, and what its enter brought before. */
#define CALL_BYTES_MAX (64u << 10)

int history_new(struct history **history, size_t bytes, struct err *err)
{
	struct history *made;
	void *ring;

	if (bytes < HISTORY_CALLS_MIN * sizeof(struct call))
		bytes = HISTORY_CALLS_MIN * sizeof(struct call);
	ring = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (ring == MAP_FAILED)
		return err_set(err, -ENOMEM,
			       "cannot reserve %zu MiB for the history: %s; "
			       "ask for less with --history",
			       bytes >> 20, strerror(errno));
	/* Each page is touched for the first time on the collector's hot path. */
	madvise(ring, bytes, MADV_HUGEPAGE);
	made = mem_zalloc(1, sizeof(*made));
	made->ring = ring;
	made->bytes = bytes;
	made->capacity = bytes / sizeof(struct call);
	*history = made;
	return 0;
}

void history_free(struct history *history)
{
	if (!history)
		return;
	munmap(history->ring, history->bytes);
	arena_release(&history->arena);
	free(history);
}

int history_keep_bytes(struct history *history, size_t bytes, struct err *err)
{
	return arena_init(&history->arena, bytes < HISTORY_POINTED_MIN ? HISTORY_POINTED_MIN
								: bytes, err);
}

uint64_t history_put_bytes(struct history *history, const struct record_bytes *bytes)
{
	return arena_put(&history->arena, bytes->chunks, bytes->len, NULL, 0);
}

const void *history_bytes(const struct history *history, const struct call *call, size_t *len)
{
	return arena_get(&history->arena, call->bytes_at, len);
}

/* What its enter brought is put again: so bytes go in the order in which their calls do. */
static uint64_t join_bytes(struct history *history, const struct call *call,
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

void history_put(struct history *history, const struct call *call,
		 const struct record_bytes *bytes)
{
	struct call *put = &history->ring[history->next];

	*put = *call;
	if (bytes || call->bytes_at)
		put->bytes_at = join_bytes(history, call, bytes);
	if (++history->next == history->capacity)
		history->next = 0;
	history->end++;
	if (history->end - history->first > history->capacity)
		history->first++;
}

uint64_t history_first(const struct history *history)
{
	return history->first;
}

uint64_t history_end(const struct history *history)
{
	return history->end;
}

const struct call *history_get(const struct history *history, uint64_t seq)
{
	size_t back, place;

	if (seq < history->first || seq >= history->end)
		return NULL;
	back = (size_t)(history->end - seq);
	place = back <= history->next ? history->next - back
				      : history->next + history->capacity - back;
	return &history->ring[place];
}

void history_clear(struct history *history)
{
	history->first = history->end;
}

void history_hold(struct history *history, uint64_t seq)
{
	const struct call *call = seq < history->end ? history_get(history, seq) : NULL;

	history->held = true;
	history->hold = seq;
	if (seq >= history->end)
		history->arena_hold = history->arena.end;
	else if (call && call->bytes_at)
		history->arena_hold = call->bytes_at;
}

void history_unhold(struct history *history)
{
	history->held = false;
}

size_t history_room(const struct history *history)
{
	uint64_t from = history->hold > history->first ? history->hold : history->first;

	if (!history->held)
		return SIZE_MAX;
	if (from >= history->end)
		return history->capacity;
	return history->capacity - (size_t)(history->end - from);
}

size_t history_bytes_room(const struct history *history)
{
	if (!history->held || !history->arena.bytes)
		return SIZE_MAX;
	return arena_room(&history->arena, history->arena_hold) / CALL_BYTES_MAX;
}
