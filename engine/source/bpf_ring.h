/*
 * bpf_ring - one ring buffer of BPF programs, read where it is.
 *
 * The layout is that of kernel/bpf/ringbuf.c: a page with how far was read, a page with
 * how far was written, and the data, which is mapped twice in a row so that no
 * record is ever in two pieces. Each record has a header of 8 bytes, the first four of which
 * are its length and two flags. Makes no system calls, so tests hand it
 * fabricated pages. One thread.
 *
 *	bpf_ring_refresh(&ring);
 *	while ((record = bpf_ring_peek(&ring, &bytes))) {
 *		...
 *		bpf_ring_advance(&ring);
 *	}
 *	bpf_ring_commit(&ring);
 */
#ifndef SOURCE_BPF_RING_H
#define SOURCE_BPF_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bpf_ring {
	uint64_t *consumed; /* borrowed, as is everything here */
	const uint64_t *produced;
	const unsigned char *data;
	uint64_t bytes;  /* of data: a power of two, mapped twice */
	uint64_t head;   /* where the kernel was at the last refresh */
	uint64_t cursor; /* what was read so far */
	uint64_t next;   /* where the record after the one at the cursor begins */
	uint64_t tail;   /* what the kernel knows we read */
	uint64_t malformed; /* times that the contents made no sense and were skipped */
};

void bpf_ring_init(struct bpf_ring *ring, uint64_t *consumed, const uint64_t *produced,
		   const void *data, uint64_t bytes);

/* Looks how far the kernel has written; records behind that are not seen until the next time. */
void bpf_ring_refresh(struct bpf_ring *ring);

/*
 * The record at the cursor, or NULL if there is none yet, or one that is being written.
 * Borrowed: valid until the next advance or commit.
 */
const void *bpf_ring_peek(struct bpf_ring *ring, uint32_t *bytes);

/* Goes to the record behind the one that bpf_ring_peek() returned. */
void bpf_ring_advance(struct bpf_ring *ring);

/* Lets the kernel write over everything before the cursor. */
void bpf_ring_commit(struct bpf_ring *ring);

/* How much is there to be read, by now. */
uint64_t bpf_ring_waiting(const struct bpf_ring *ring);

#endif
