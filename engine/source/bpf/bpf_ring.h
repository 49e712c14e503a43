/*
 * bpf_ring - one ring of records that BPF programs write, read in place.
 *
 * bpf/shared.h defines the layout. Positions only grow. A record is at its position modulo the size
 * and always in one piece, as there is room for one record after the end. It can be read as soon as
 * its first word is the mark of its position. Makes no system calls, so tests can pass fabricated
 * memory. One thread.
 *
 *	bpf_ring_refresh(&ring);
 *	while ((record = bpf_ring_peek(&ring))) {
 *		...
 *		bpf_ring_advance(&ring, record);
 *	}
 *	bpf_ring_commit(&ring);
 */
#ifndef BPF_BPF_RING_H
#define BPF_BPF_RING_H

#include "engine/source/bpf/shared.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BPF_RING_AHEAD 192 /* prefetch distance in bytes: two records */

struct bpf_ring {
	struct bpf_cpu *cpu; /* write and read positions; borrowed, as is `data` */
	const unsigned char *data; /* with BPF_RECORD_BYTES_MAX more after its end */
	uint64_t bytes; /* a power of two */
	uint64_t key; /* key of the marks */
	uint64_t head; /* end of the records begun, as of the last refresh */
	uint64_t cursor; /* position of the next record to read */
	uint64_t malformed; /* how often invalid contents were skipped */
};

void bpf_ring_init(struct bpf_ring *ring, struct bpf_cpu *cpu, const void *data, uint64_t bytes,
		   uint64_t key);

/* Read the write position of the kernel. Later records are visible after the next refresh. */
void bpf_ring_refresh(struct bpf_ring *ring);

/* Release everything before the cursor to the kernel. */
void bpf_ring_commit(struct bpf_ring *ring);

/* Skip an invalid record. The next one cannot be found, so reading continues at the head. */
void bpf_ring_skip(struct bpf_ring *ring);

/*
 * Return the record at the cursor, or NULL if there is none or it is still being written. Borrowed
 * until the next commit.
 */
static inline const struct bpf_record *bpf_ring_peek(struct bpf_ring *ring)
{
	const struct bpf_record *emit =
		(const struct bpf_record *)(ring->data + (ring->cursor & (ring->bytes - 1)));

	/* Acquire: the kernel wrote the record before its mark. */
	if (ring->cursor == ring->head ||
	    __atomic_load_n(&emit->mark, __ATOMIC_ACQUIRE) != BPF_MARK(ring->cursor, ring->key))
		return NULL;
	if (__builtin_expect(emit->bytes < sizeof(*emit) || emit->bytes % 8 ||
				     emit->bytes > BPF_RECORD_BYTES_MAX ||
				     emit->bytes > ring->head - ring->cursor,
			     0)) {
		bpf_ring_skip(ring);
		return NULL;
	}
	return emit;
}

/* Move to the record after the one that bpf_ring_peek() returned. */
static inline void bpf_ring_advance(struct bpf_ring *ring, const struct bpf_record *emit)
{
	ring->cursor += emit->bytes;
	/* With many rings read in turns, hardware prefetchers do not detect each sequence. */
	__builtin_prefetch(ring->data + ((ring->cursor + BPF_RING_AHEAD) & (ring->bytes - 1)));
	__builtin_prefetch(ring->data + ((ring->cursor + BPF_RING_AHEAD + 64) & (ring->bytes - 1)));
	/* Release space early: the kernel may be filling the ring while we read. */
	if (ring->cursor - ring->cpu->consumed > ring->bytes / 8)
		bpf_ring_commit(ring);
}

/* Return the number of bytes that are waiting to be read. */
uint64_t bpf_ring_waiting(const struct bpf_ring *ring);

#endif
