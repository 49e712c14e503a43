#include "engine/source/perf/merge.h"

#include "engine/base/mem.h"

#include <assert.h>
#include <stdlib.h>

void merge_init(struct merge *merge, uint32_t inputs)
{
	merge->slots = mem_zalloc(inputs, sizeof(*merge->slots));
	merge->count = 0;
	merge->inputs = inputs;
	merge->horizon_ns = 0;
}

void merge_release(struct merge *merge)
{
	free(merge->slots);
	merge->slots = NULL;
	merge->count = merge->inputs = 0;
}

void merge_begin(struct merge *merge, uint64_t horizon_ns)
{
	merge->count = 0;
	merge->horizon_ns = horizon_ns;
}

/* Without a branch: the order of two busy inputs is unpredictable. */
static inline bool before(const struct merge_slot *a, const struct merge_slot *b)
{
	return (a->time_ns < b->time_ns) | ((a->time_ns == b->time_ns) & (a->input < b->input));
}

void merge_add(struct merge *merge, uint32_t input, uint64_t time_ns)
{
	struct merge_slot slot = { time_ns, input };
	uint32_t i;

	if (time_ns > merge->horizon_ns)
		return;
	assert(merge->count < merge->inputs);
	for (i = merge->count++; i && before(&slot, &merge->slots[(i - 1) / 2]); i = (i - 1) / 2)
		merge->slots[i] = merge->slots[(i - 1) / 2];
	merge->slots[i] = slot;
}

/*
 * Insert a slot in place of the first. The next record of an input is usually later than those of
 * nearly all other inputs. So move the gap down to the bottom without comparing the slot. Then move
 * the slot up the few levels that it needs (Wegener, Bottom-up heapsort, 1993).
 */
static void sift_down(struct merge *merge, struct merge_slot slot)
{
	struct merge_slot *slots = merge->slots;
	uint32_t i = 0, child;

	for (child = 1; child + 1 < merge->count; child = 2 * i + 1) {
		child += before(&slots[child + 1], &slots[child]);
		slots[i] = slots[child];
		i = child;
	}
	if (child < merge->count) {
		slots[i] = slots[child];
		i = child;
	}
	for (; i && before(&slot, &slots[(i - 1) / 2]); i = (i - 1) / 2)
		slots[i] = slots[(i - 1) / 2];
	slots[i] = slot;
}

void merge_sift(struct merge *merge, uint64_t time_ns)
{
	struct merge_slot slot = { time_ns, merge->slots[0].input };

	sift_down(merge, slot);
}

void merge_drop(struct merge *merge)
{
	assert(merge->count);
	merge->count--;
	if (merge->count)
		sift_down(merge, merge->slots[merge->count]);
}
