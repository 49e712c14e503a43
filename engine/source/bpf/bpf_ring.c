#include "engine/source/bpf/bpf_ring.h"

#include <string.h>

_Static_assert(sizeof(struct bpf_record) % 8 == 0, "records begin at multiples of 8");

void bpf_ring_init(struct bpf_ring *ring, struct bpf_cpu *cpu, const void *data, uint64_t bytes,
		   uint64_t key)
{
	memset(ring, 0, sizeof(*ring));
	ring->cpu = cpu;
	ring->data = data;
	ring->bytes = bytes;
	ring->key = key;
	ring->cursor = ring->head = cpu->consumed;
}

void bpf_ring_refresh(struct bpf_ring *ring)
{
	ring->head = __atomic_load_n(&ring->cpu->reserved, __ATOMIC_ACQUIRE);
	/* Impossible unless foreign code wrote to the ring: restart at the head. */
	if (__builtin_expect(ring->head - ring->cursor > ring->bytes, 0))
		bpf_ring_skip(ring);
}

void bpf_ring_commit(struct bpf_ring *ring)
{
	/* Release: finish our reads before the kernel may overwrite the records. */
	__atomic_store_n(&ring->cpu->consumed, ring->cursor, __ATOMIC_RELEASE);
}

void bpf_ring_skip(struct bpf_ring *ring)
{
	ring->malformed++;
	ring->cursor = ring->head;
}

uint64_t bpf_ring_waiting(const struct bpf_ring *ring)
{
	return __atomic_load_n(&ring->cpu->reserved, __ATOMIC_RELAXED) - ring->cursor;
}
