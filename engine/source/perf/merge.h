/*
 * merge - merges inputs, each in time order, into one sequence in time order.
 *
 * A binary heap holds the time of the next record of each input. While the input just read stays
 * the earliest, as is usual on busy rings, the next record costs two comparisons. An input without
 * records up to the horizon is not in the heap. One thread; no allocation after merge_init().
 */
#ifndef PERF_MERGE_H
#define PERF_MERGE_H

#include <stdbool.h>
#include <stdint.h>

struct merge_slot {
	uint64_t time_ns;
	uint32_t input;
};

struct merge {
	struct merge_slot *slots;
	uint32_t count, inputs;
	uint64_t horizon_ns;
};

void merge_init(struct merge *merge, uint32_t inputs);
void merge_release(struct merge *merge);

/* Remove all inputs. Afterwards, an input whose next record is after the horizon stays out. */
void merge_begin(struct merge *merge, uint64_t horizon_ns);
/* Add an input that has a record, at most once per input. */
void merge_add(struct merge *merge, uint32_t input, uint64_t time_ns);

static inline bool merge_any(const struct merge *merge)
{
	return merge->count;
}

/* Return the input with the earliest record; the lower number wins a tie. */
static inline uint32_t merge_input(const struct merge *merge)
{
	return merge->slots[0].input;
}

void merge_sift(struct merge *merge, uint64_t time_ns);
/* Remove the earliest input, which has no more records. */
void merge_drop(struct merge *merge);

/* Account one record read from the earliest input; time_ns is the time of its next record. */
static inline void merge_next(struct merge *merge, uint64_t time_ns)
{
	if (time_ns > merge->horizon_ns)
		merge_drop(merge);
	else if ((merge->count > 1 && merge->slots[1].time_ns <= time_ns) ||
		 (merge->count > 2 && merge->slots[2].time_ns <= time_ns))
		merge_sift(merge, time_ns);
	else
		merge->slots[0].time_ns = time_ns;
}

#endif
