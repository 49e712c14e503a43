/*
 * perfdata_blocks - memory for records that stay where they were read until they were told.
 *
 * Blocks begin at multiples of their size, so a record's is known by its address. One is free to
 * be used again when it is not being filled and none of its records waits any more; whoever
 * makes that true gives it back. Some are kept for later, as memory that is new takes the kernel
 * as long as a copy. One thread.
 */
#ifndef RECORDING_PERFDATA_BLOCKS_H
#define RECORDING_PERFDATA_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PERF_BLOCK_BYTES ((size_t)1 << 20)
#define PERF_BLOCK_HEAD ((size_t)64) /* in front of what is in it */

struct perf_block {
	struct perfdata_blocks *home;
	struct perf_block *next; /* of the spare ones */
	size_t used; /* bytes, of these too: for who fills it */
	size_t live; /* records that wait */
	bool filling;
};

_Static_assert(sizeof(struct perf_block) <= PERF_BLOCK_HEAD, "it fits in front");

struct perfdata_blocks {
	struct perf_block *spare;
	size_t spare_count, count; /* count: of those in use */
};

/* It is being filled, and empty. */
struct perf_block *perfdata_blocks_take(struct perfdata_blocks *blocks);
/* To where it is from. NULL is fine. */
void perf_block_give(struct perf_block *block);
void perfdata_blocks_release(
	struct perfdata_blocks *blocks); /* the spare ones: all were given back */

static inline struct perf_block *perf_block_of(const void *record)
{
	return (struct perf_block *)((uintptr_t)record & ~(uintptr_t)(PERF_BLOCK_BYTES - 1));
}

/* Nothing more is put there. */
static inline void perf_block_filled(struct perf_block *block)
{
	block->filling = false;
	if (!block->live)
		perf_block_give(block);
}

#endif
