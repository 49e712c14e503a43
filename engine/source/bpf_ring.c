#include "engine/source/bpf_ring.h"

#include <linux/bpf.h>
#include <string.h>

void bpf_ring_init(struct bpf_ring *ring, uint64_t *consumed, const uint64_t *produced,
		   const void *data, uint64_t bytes)
{
	memset(ring, 0, sizeof(*ring));
	ring->consumed = consumed;
	ring->produced = produced;
	ring->data = data;
	ring->bytes = bytes;
	ring->cursor = ring->next = ring->tail = ring->head = *consumed;
}

void bpf_ring_refresh(struct bpf_ring *ring)
{
	uint64_t head = __atomic_load_n(ring->produced, __ATOMIC_ACQUIRE);

	if (head - ring->cursor > ring->bytes) {
		/* Impossible unless somebody else wrote to the page: begin again at the head. */
		ring->malformed++;
		ring->cursor = ring->next = head;
	}
	ring->head = head;
}

const void *bpf_ring_peek(struct bpf_ring *ring, uint32_t *bytes)
{
	while (ring->head - ring->cursor >= BPF_RINGBUF_HDR_SZ) {
		const unsigned char *at = ring->data + (ring->cursor & (ring->bytes - 1));
		/* Acquire: what follows was written before the kernel cleared the flag. */
		uint32_t word = __atomic_load_n((const uint32_t *)at, __ATOMIC_ACQUIRE);
		uint32_t length = word & ~(uint32_t)(BPF_RINGBUF_BUSY_BIT |
						     BPF_RINGBUF_DISCARD_BIT);

		if (word & BPF_RINGBUF_BUSY_BIT)
			return NULL;
		ring->next = ring->cursor + BPF_RINGBUF_HDR_SZ + ((uint64_t)length + 7) / 8 * 8;
		if (ring->next - ring->cursor > ring->head - ring->cursor) {
			ring->malformed++;
			ring->cursor = ring->next = ring->head;
			return NULL;
		}
		if (!(word & BPF_RINGBUF_DISCARD_BIT)) {
			*bytes = length;
			return at + BPF_RINGBUF_HDR_SZ;
		}
		ring->cursor = ring->next;
	}
	return NULL;
}

void bpf_ring_advance(struct bpf_ring *ring)
{
	ring->cursor = ring->next;
	/* Give space back early: the kernel may be filling the rest while we read. */
	if (ring->cursor - ring->tail > ring->bytes / 8)
		bpf_ring_commit(ring);
}

void bpf_ring_commit(struct bpf_ring *ring)
{
	/* Release: what we read is read before the kernel may write over it. */
	__atomic_store_n(ring->consumed, ring->cursor, __ATOMIC_RELEASE);
	ring->tail = ring->cursor;
}

uint64_t bpf_ring_waiting(const struct bpf_ring *ring)
{
	return __atomic_load_n(ring->produced, __ATOMIC_RELAXED) - ring->cursor;
}
