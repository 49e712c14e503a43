/*
 * latency_heatmap - how many calls ended when, and after how long: the picture of latency over
 * time.
 *
 * Columns are slots of the time at which calls ended, a ring of the last LATENCY_SLOTS of them;
 * rows are steps of the logarithm of the duration, LATENCY_PER_OCTAVE to each power of two, from
 * LATENCY_LOW_NS on (shorter calls are in the first, longer ones in the last). So ten minutes
 * are kept, whatever the history has let go. Calls that are known by their sums alone are in
 * the slot in which they were told. Calls without a duration are in none.
 *
 * Owned and locked by the model; counting allocates nothing.
 */
#ifndef MODEL_LATENCY_HEATMAP_H
#define MODEL_LATENCY_HEATMAP_H

#include "engine/record/record.h"

#include <stddef.h>
#include <stdint.h>

#define LATENCY_SLOT_NS 50000000ULL
#define LATENCY_SLOTS 12000
#define LATENCY_PER_OCTAVE 4
#define LATENCY_LOW_NS 128ULL
#define LATENCY_STEPS 116 /* up to 64 s and what is beyond */

struct latency_heatmap;

/* start_ns: where slot 0 begins. Calls that ended before are not counted. */
struct latency_heatmap *latency_heatmap_new(uint64_t start_ns);
void latency_heatmap_free(struct latency_heatmap *latency_heatmap);
void latency_heatmap_clear(struct latency_heatmap *latency_heatmap);

/* One that ended before the oldest slot is not counted. */
void latency_heatmap_add(struct latency_heatmap *latency_heatmap, uint64_t end_ns, uint64_t dur_ns);
/* A RECORD_AGGREGATE. */
void latency_heatmap_add_aggregate(struct latency_heatmap *latency_heatmap,
				   const struct record *record);

/*
 * Adds to counts what ended in the `slots` slots from `first` on (a slot's number is its time
 * since the start, divided by LATENCY_SLOT_NS); slots that are not kept have nothing.
 */
void latency_heatmap_sum(const struct latency_heatmap *latency_heatmap, uint64_t first,
			 size_t slots, uint64_t counts[LATENCY_STEPS]);

/* The step of a duration, and the shortest duration that is in a step: 0 for the first. */
unsigned latency_step(uint64_t ns);
uint64_t latency_step_low(unsigned step);

size_t latency_heatmap_bytes(void); /* of memory, at most, of each */

#endif
