#include "engine/recording/perfdata_blocks.h"

#include "engine/base/mem.h"

#include <stdlib.h>

#define SPARE_BLOCKS 32

struct perf_block *perfdata_blocks_take(struct perfdata_blocks *blocks)
{
	struct perf_block *block = blocks->spare;

	if (block) {
		blocks->spare = block->next;
		blocks->spare_count--;
	} else {
		block = mem_alloc_aligned(PERF_BLOCK_BYTES, PERF_BLOCK_BYTES);
	}
	blocks->count++;
	*block = (struct perf_block){ .home = blocks, .used = PERF_BLOCK_HEAD, .filling = true };
	return block;
}

void perf_block_give(struct perf_block *block)
{
	struct perfdata_blocks *blocks;

	if (!block)
		return;
	blocks = block->home;
	blocks->count--;
	if (blocks->spare_count == SPARE_BLOCKS) {
		free(block);
		return;
	}
	block->next = blocks->spare;
	blocks->spare = block;
	blocks->spare_count++;
}

void perfdata_blocks_release(struct perfdata_blocks *blocks)
{
	while (blocks->spare) {
		struct perf_block *block = blocks->spare;

		blocks->spare = block->next;
		free(block);
	}
	blocks->spare_count = 0;
}
