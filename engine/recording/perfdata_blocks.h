/*
 * perfdata_blocks - memory blocks in which records stay, uncopied, from read to delivery.
 *
 * Blocks are aligned to their size, so the address of a record determines its block. A block is
 * reusable once it is no longer being filled and holds no pending record. The function that makes
 * it reusable gives it back. A few spare blocks are retained: getting new memory from the kernel
 * takes as long as copying a block. One thread.
 */
#ifndef RECORDING_PERFDATA_BLOCKS_H
#define RECORDING_PERFDATA_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PERF_BLOCK_BYTES ((size_t)1 << 20)
#define PERF_BLOCK_HEAD ((size_t)64) /* size of the head, which precedes the contents */

struct perf_block {
	struct perfdata_blocks *home;
	struct perf_block *next; /* in the list of spare blocks */
	size_t used; /* bytes, including the head; maintained by the code that fills the block */
	size_t live; /* pending records */
	bool filling;
};

_Static_assert(sizeof(struct perf_block) <= PERF_BLOCK_HEAD,
	       "struct perf_block fits in the block head");

struct perfdata_blocks {
	struct perf_block *spare;
	size_t spare_count, count; /* count: number of blocks in use */
};

/* Take an empty block, with `filling` set. */
struct perf_block *perfdata_blocks_take(struct perfdata_blocks *blocks);
/* Return a block to its home. NULL is allowed. */
void perf_block_give(struct perf_block *block);
/* Free the spare blocks. Give all blocks back first. */
void perfdata_blocks_release(struct perfdata_blocks *blocks);

static inline struct perf_block *perf_block_of(const void *record)
{
	return (struct perf_block *)((uintptr_t)record & ~(uintptr_t)(PERF_BLOCK_BYTES - 1));
}

/* End the filling of a block; give it back if no record in it is pending. */
static inline void perf_block_filled(struct perf_block *block)
{
	block->filling = false;
	if (!block->live)
		perf_block_give(block);
}

#endif
