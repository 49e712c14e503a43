/*
 * merge - many inputs, each in time order, as one.
 *
 * A binary heap of the inputs' next times. Going on with the input that was
 * just read costs two comparisons as long as it stays the earliest, which on
 * busy rings is nearly always. Lanes that have nothing before the horizon are not in
 * the heap at all. One thread; no allocation after merge_init().
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

/* Empties it; inputs with times after the horizon will stay out. */
void merge_begin(struct merge *merge, uint64_t horizon_ns);
/* An input that has something, once for each input. */
void merge_add(struct merge *merge, uint32_t input, uint64_t time_ns);

static inline bool merge_any(const struct merge *merge)
{
	return merge->count;
}

/* The input whose next is the earliest; ties go to the lower number. */
static inline uint32_t merge_input(const struct merge *merge)
{
	return merge->slots[0].input;
}

void merge_sift(struct merge *merge, uint64_t time_ns);
/* The earliest input has nothing more. */
void merge_drop(struct merge *merge);

/* The earliest input was read and its next has this time. */
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
