#include "engine/source/perf/perf_ring.h"

#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define FREE_BYTES_MIN 2048 /* with less free space, a switch record might not fit */
#define RECORD_BYTES_MAX 65536 /* header.size has 16 bits */

void perf_ring_init(struct perf_ring *ring, struct perf_event_mmap_page *page, const void *data,
		    uint64_t bytes)
{
	memset(ring, 0, sizeof(*ring));
	ring->page = page;
	ring->data = data;
	ring->bytes = bytes;
	ring->cursor = ring->tail = page->data_tail;
	ring->head = ring->cursor;
}

void perf_ring_release(struct perf_ring *ring)
{
	free(ring->scratch);
	ring->scratch = NULL;
}

/* The kernel reports a loss with the next record that fits. Until then, `filled` hints at it. */
static void note_filled(struct perf_ring *ring, uint64_t head)
{
	if (head - ring->tail > ring->bytes - FREE_BYTES_MIN)
		ring->filled = true;
}

void perf_ring_refresh(struct perf_ring *ring)
{
	uint64_t head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);

	if (head - ring->cursor > ring->bytes) {
		/* Impossible unless other code wrote to the page: restart at the head. */
		ring->malformed++;
		ring->cursor = head;
	}
	ring->head = head;
	note_filled(ring, head);
}

const struct perf_event_header *perf_ring_peek_slow(struct perf_ring *ring)
{
	uint64_t at = ring->cursor & (ring->bytes - 1);
	uint64_t left = ring->head - ring->cursor;
	const struct perf_event_header *header;
	uint64_t first;

	header = (const struct perf_event_header *)(ring->data + at);
	/*
	 * Positions and sizes of records are multiples of 8, so a header never straddles the end.
	 * Without a plausible size the next record cannot be found.
	 */
	if (left < sizeof(*header) || header->size < sizeof(*header) || header->size % 8 ||
	    header->size > left) {
		ring->malformed++;
		ring->cursor = ring->head;
		return NULL;
	}
	first = ring->bytes - at;
	if (header->size <= first)
		return header;
	if (!ring->scratch)
		ring->scratch = mem_alloc(RECORD_BYTES_MAX);
	memcpy(ring->scratch, header, first);
	memcpy(ring->scratch + first, ring->data, header->size - first);
	return (const struct perf_event_header *)ring->scratch;
}

void perf_ring_commit(struct perf_ring *ring)
{
	note_filled(ring, __atomic_load_n(&ring->page->data_head, __ATOMIC_RELAXED));
	/* Release: all reads complete before the kernel may overwrite the bytes. */
	__atomic_store_n(&ring->page->data_tail, ring->cursor, __ATOMIC_RELEASE);
	ring->tail = ring->cursor;
}
