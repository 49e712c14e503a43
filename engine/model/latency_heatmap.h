/*
 * latency_heatmap - counts of calls by end time and duration.
 *
 * Columns are time slots of LATENCY_SLOT_NS in which calls ended, a ring of the last LATENCY_SLOTS:
 * ten minutes, independent of the history. Rows are logarithmic steps of the duration,
 * LATENCY_PER_OCTAVE for each power of two, from LATENCY_LOW_NS up. Shorter calls count in the
 * first row, longer calls in the last. An aggregate counts in the slot of its record's time. Calls
 * without a duration are not counted.
 *
 * Counting does not allocate. Owned and locked by the model.
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
#define LATENCY_STEPS 116 /* up to 64 s; the last step also takes longer calls */

struct latency_heatmap;

/* start_ns: time of slot 0. Calls that ended earlier are not counted. */
struct latency_heatmap *latency_heatmap_new(uint64_t start_ns);
void latency_heatmap_free(struct latency_heatmap *latency_heatmap);
void latency_heatmap_clear(struct latency_heatmap *latency_heatmap);

/* Calls that ended before the oldest slot are not counted. */
void latency_heatmap_add(struct latency_heatmap *latency_heatmap, uint64_t end_ns, uint64_t dur_ns);
/* Count a RECORD_AGGREGATE. */
void latency_heatmap_add_aggregate(struct latency_heatmap *latency_heatmap,
				   const struct record *record);

/*
 * Add the calls of `slots` slots, starting with slot `first`, to `counts`. A slot number is the
 * time since the start divided by LATENCY_SLOT_NS. Slots outside the ring add nothing.
 */
void latency_heatmap_sum(const struct latency_heatmap *latency_heatmap, uint64_t first,
			 size_t slots, uint64_t counts[LATENCY_STEPS]);

/* Return the step of a duration, or the shortest duration of a step; the first begins at 0. */
unsigned latency_step(uint64_t ns);
uint64_t latency_step_low(unsigned step);

size_t latency_heatmap_bytes(void); /* upper bound of the memory of one heatmap */

#endif
