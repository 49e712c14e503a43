/*
 * perf_ring - one event buffer of the kernel's, read as whole records.
 *
 * The layout is that of perf_event_mmap_page in linux/perf_event.h. Makes no
 * system calls and owns no memory but a small copy of a record that wrapped
 * around the end, so tests hand it fabricated pages. One thread.
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

#define PERF_RING_AHEAD 192 /* bytes of what comes next that are fetched: two calls or so */

struct perf_ring {
	struct perf_event_mmap_page *page; /* borrowed, as is what follows it */
	const unsigned char *data;
	uint64_t bytes; /* of data: a power of two */
	uint64_t head; /* where the kernel was at the last refresh */
	uint64_t cursor; /* what was read so far */
	uint64_t tail; /* what the kernel knows we read */
	bool filled; /* by the kernel, as good as: it may have had no room for more */
	unsigned char *scratch; /* a record that wraps, in one piece; NULL before the first */
	uint64_t malformed; /* times that the contents made no sense and were skipped */
};

void perf_ring_init(struct perf_ring *ring, struct perf_event_mmap_page *page, const void *data,
		    uint64_t bytes);
void perf_ring_release(struct perf_ring *ring);

/* Looks how far the kernel has written; records behind that are not seen until the next time. */
void perf_ring_refresh(struct perf_ring *ring);

/* Slow path of perf_ring_peek(): the record wraps, or is none. */
const struct perf_event_header *perf_ring_peek_slow(struct perf_ring *ring);

/* The record at the cursor or NULL. Borrowed: valid until the next advance, commit or peek. */
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

/* Lets the kernel write over everything before the cursor. */
void perf_ring_commit(struct perf_ring *ring);

/* Goes to the record behind `header`, which perf_ring_peek() returned. */
static inline void perf_ring_advance(struct perf_ring *ring, const struct perf_event_header *header)
{
	ring->cursor += header->size;
	/* With many rings read in turns, no CPU sees by itself that each goes on. */
	__builtin_prefetch(ring->data + ((ring->cursor + PERF_RING_AHEAD) & (ring->bytes - 1)));
	__builtin_prefetch(ring->data +
			   ((ring->cursor + PERF_RING_AHEAD + 64) & (ring->bytes - 1)));
	/* Give space back early: the kernel may be filling the rest while we read. */
	if (ring->cursor - ring->tail > ring->bytes / 8)
		perf_ring_commit(ring);
}

#endif
