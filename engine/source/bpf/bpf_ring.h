/*
 * bpf_ring - one ring of records that BPF programs write, read where it is.
 *
 * The layout is that of bpf/shared.h: positions only grow, a record is at its position modulo
 * the size and never in two pieces, as there is room for one behind the end. It may be read
 * once its first word is the mark of its position. Makes no system calls, so tests hand it
 * fabricated memory. One thread.
 *
 *	bpf_ring_refresh(&ring);
 *	while ((tell = bpf_ring_peek(&ring))) {
 *		...
 *		bpf_ring_advance(&ring, tell);
 *	}
 *	bpf_ring_commit(&ring);
 */
#ifndef BPF_BPF_RING_H
#define BPF_BPF_RING_H

#include "engine/source/bpf/shared.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BPF_RING_AHEAD 192 /* bytes of what comes next that are fetched: two records */

struct bpf_ring {
	struct bpf_cpu *cpu; /* borrowed, as is the data: how far it was written and read */
	const unsigned char *data; /* with BPF_RECORD_BYTES_MAX behind its end */
	uint64_t bytes; /* a power of two */
	uint64_t key; /* of the marks */
	uint64_t head; /* what was begun at the last refresh */
	uint64_t cursor; /* what was read so far */
	uint64_t malformed; /* times that the contents made no sense and were skipped */
};

void bpf_ring_init(struct bpf_ring *ring, struct bpf_cpu *cpu, const void *data, uint64_t bytes,
		   uint64_t key);

/* Looks how far the kernel has come; records behind that are not seen until the next time. */
void bpf_ring_refresh(struct bpf_ring *ring);

/* Lets the kernel write over everything before the cursor. */
void bpf_ring_commit(struct bpf_ring *ring);

/* A record that makes no sense: there is no way to the next one but from the head. */
void bpf_ring_skip(struct bpf_ring *ring);

/*
 * The record at the cursor, or NULL if there is none yet, or one that is being written.
 * Borrowed: valid until the next commit.
 */
static inline const struct bpf_record *bpf_ring_peek(struct bpf_ring *ring)
{
	const struct bpf_record *emit =
		(const struct bpf_record *)(ring->data + (ring->cursor & (ring->bytes - 1)));

	/* Acquire: what follows was written before the mark. */
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

/* Goes to the record behind the one that bpf_ring_peek() returned. */
static inline void bpf_ring_advance(struct bpf_ring *ring, const struct bpf_record *emit)
{
	ring->cursor += emit->bytes;
	/* With many rings read in turns, no CPU sees by itself that each goes on. */
	__builtin_prefetch(ring->data + ((ring->cursor + BPF_RING_AHEAD) & (ring->bytes - 1)));
	__builtin_prefetch(ring->data + ((ring->cursor + BPF_RING_AHEAD + 64) & (ring->bytes - 1)));
	/* Give space back early: the kernel may be filling the rest while we read. */
	if (ring->cursor - ring->cpu->consumed > ring->bytes / 8)
		bpf_ring_commit(ring);
}

/* How much is there to be read, by now. */
uint64_t bpf_ring_waiting(const struct bpf_ring *ring);

#endif
