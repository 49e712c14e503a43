/*
 * perf_ring - reads one perf event buffer of the kernel, record by record.
 *
 * The layout is that of perf_event_mmap_page in linux/perf_event.h. Makes no system calls. Owns
 * only a buffer for a record that wraps around the end, so tests can pass it fabricated pages. One
 * thread.
 *
 *	perf_ring_refresh(&ring);
 *	while ((header = perf_ring_peek(&ring))) {
 *		...
 *		perf_ring_advance(&ring, header);
 *	}
 *	perf_ring_commit(&ring);
 */
#ifndef PERF_PERF_RING_H
#define PERF_PERF_RING_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PERF_RING_AHEAD 192 /* prefetch distance in bytes: about two calls */

struct perf_ring {
	struct perf_event_mmap_page *page; /* borrowed, like data */
	const unsigned char *data;
	uint64_t bytes; /* of data; a power of two */
	uint64_t head; /* write position of the kernel at the last refresh */
	uint64_t cursor; /* position of the next record to read */
	uint64_t tail; /* position up to which the kernel may overwrite */
	bool filled; /* the ring was nearly full, so the kernel may have lost a record */
	unsigned char *scratch; /* copy of a record that wraps; NULL before the first */
	uint64_t malformed; /* how often corrupt contents were skipped */
};

void perf_ring_init(struct perf_ring *ring, struct perf_event_mmap_page *page, const void *data,
		    uint64_t bytes);
void perf_ring_release(struct perf_ring *ring);

/* Read how far the kernel has written. Later records are visible after the next refresh. */
void perf_ring_refresh(struct perf_ring *ring);

/* Slow path of perf_ring_peek(): the record wraps or is corrupt. */
const struct perf_event_header *perf_ring_peek_slow(struct perf_ring *ring);

/* Return the record at the cursor, or NULL. Borrowed until the next advance, commit or peek. */
static inline const struct perf_event_header *perf_ring_peek(struct perf_ring *ring)
{
	uint64_t at = ring->cursor & (ring->bytes - 1);
	const struct perf_event_header *header;

	if (ring->cursor == ring->head)
		return NULL;
	header = (const struct perf_event_header *)(ring->data + at);
	if (__builtin_expect(header->size < sizeof(*header) || header->size % 8 ||
				     header->size > ring->head - ring->cursor ||
				     at + header->size > ring->bytes,
			     0))
		return perf_ring_peek_slow(ring);
	return header;
}

/* Let the kernel overwrite all bytes before the cursor. */
void perf_ring_commit(struct perf_ring *ring);

/* Advance past the record `header`, which perf_ring_peek() returned. */
static inline void perf_ring_advance(struct perf_ring *ring, const struct perf_event_header *header)
{
	ring->cursor += header->size;
	/* The CPU's prefetcher does not detect the sequence, as many rings are read in turn. */
	__builtin_prefetch(ring->data + ((ring->cursor + PERF_RING_AHEAD) & (ring->bytes - 1)));
	__builtin_prefetch(ring->data +
			   ((ring->cursor + PERF_RING_AHEAD + 64) & (ring->bytes - 1)));
	/* Release space early: the kernel may be filling the rest of the ring. */
	if (ring->cursor - ring->tail > ring->bytes / 8)
		perf_ring_commit(ring);
}

#endif
