#include "engine/model/latency_heatmap.h"

#include "engine/base/histogram.h"
#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define LOW_LOG2 7
#define PER_OCTAVE_LOG2 2

_Static_assert(LATENCY_LOW_NS == 1ULL << LOW_LOG2, "the first step ends an octave");
_Static_assert(LATENCY_PER_OCTAVE == 1 << PER_OCTAVE_LOG2, "steps of an octave");

struct slot {
	uint32_t counts[LATENCY_STEPS]; /* no overflow: a slot is too short for that many calls */
};

struct latency_heatmap {
	uint64_t start_ns;
	uint64_t newest; /* last slot in which a call was counted */
	uint64_t newest_ns; /* start of that slot */
	struct slot *slots; /* slot n is at n % LATENCY_SLOTS */
};

struct latency_heatmap *latency_heatmap_new(uint64_t start_ns)
{
	struct latency_heatmap *latency_heatmap = mem_zalloc(1, sizeof(*latency_heatmap));

	latency_heatmap->start_ns = latency_heatmap->newest_ns = start_ns;
	/* Calloc'ed pages use no memory until a call is counted there. */
	latency_heatmap->slots = mem_zalloc(LATENCY_SLOTS, sizeof(*latency_heatmap->slots));
	return latency_heatmap;
}

void latency_heatmap_free(struct latency_heatmap *latency_heatmap)
{
	if (!latency_heatmap)
		return;
	free(latency_heatmap->slots);
	free(latency_heatmap);
}

void latency_heatmap_clear(struct latency_heatmap *latency_heatmap)
{
	memset(latency_heatmap->slots, 0, LATENCY_SLOTS * sizeof(*latency_heatmap->slots));
	latency_heatmap->newest = 0;
	latency_heatmap->newest_ns = latency_heatmap->start_ns;
}

unsigned latency_step(uint64_t ns)
{
	unsigned octave, step;

	if (ns < LATENCY_LOW_NS)
		return 0;
	octave = 63 - (unsigned)__builtin_clzll(ns);
	step = 1 + ((octave - LOW_LOG2) << PER_OCTAVE_LOG2) +
	       (unsigned)(ns >> (octave - PER_OCTAVE_LOG2) & (LATENCY_PER_OCTAVE - 1));
	return step < LATENCY_STEPS ? step : LATENCY_STEPS - 1;
}

uint64_t latency_step_low(unsigned step)
{
	unsigned octave;

	if (!step)
		return 0;
	octave = LOW_LOG2 + ((step - 1) >> PER_OCTAVE_LOG2);
	return (LATENCY_PER_OCTAVE + (uint64_t)((step - 1) & (LATENCY_PER_OCTAVE - 1)))
	       << (octave - PER_OCTAVE_LOG2);
}

/* Clears the slots after the newest one, up to `slot`: they still hold older counts. */
static void advance(struct latency_heatmap *latency_heatmap, uint64_t slot)
{
	uint64_t ahead = slot - latency_heatmap->newest;

	if (ahead > LATENCY_SLOTS)
		ahead = LATENCY_SLOTS;
	for (uint64_t i = 0; i < ahead; i++)
		memset(&latency_heatmap->slots[(slot - i) % LATENCY_SLOTS], 0, sizeof(struct slot));
	latency_heatmap->newest = slot;
	latency_heatmap->newest_ns = latency_heatmap->start_ns + slot * LATENCY_SLOT_NS;
}

/* Return the slot of a time. NULL: before the start, or older than the ring. */
static struct slot *slot_at(struct latency_heatmap *latency_heatmap, uint64_t ns)
{
	uint64_t slot;

	/* Almost all calls end in the same slot as the previous one. */
	if (ns - latency_heatmap->newest_ns < LATENCY_SLOT_NS)
		return &latency_heatmap->slots[latency_heatmap->newest % LATENCY_SLOTS];
	if (ns < latency_heatmap->start_ns)
		return NULL;
	slot = (ns - latency_heatmap->start_ns) / LATENCY_SLOT_NS;
	if (slot > latency_heatmap->newest)
		advance(latency_heatmap, slot);
	else if (latency_heatmap->newest - slot >= LATENCY_SLOTS)
		return NULL;
	return &latency_heatmap->slots[slot % LATENCY_SLOTS];
}

static void count(struct slot *slot, unsigned step, uint32_t more)
{
	uint32_t *counts = &slot->counts[step];

	*counts = *counts + more < more ? UINT32_MAX : *counts + more;
}

void latency_heatmap_add(struct latency_heatmap *latency_heatmap, uint64_t end_ns, uint64_t dur_ns)
{
	struct slot *slot = slot_at(latency_heatmap, end_ns);

	if (slot)
		count(slot, latency_step(dur_ns), 1);
}

void latency_heatmap_add_aggregate(struct latency_heatmap *latency_heatmap,
				   const struct record *record)
{
	struct slot *slot = slot_at(latency_heatmap, record->time_ns);

	if (!slot || record->aggregate.group >= HISTOGRAM_GROUPS)
		return;
	for (unsigned i = 0; i < HISTOGRAM_STEPS; i++) {
		unsigned bucket = record->aggregate.group * HISTOGRAM_STEPS + i;

		if (record->aggregate.steps[i])
			count(slot, latency_step(histogram_bucket_low(bucket)),
			      record->aggregate.steps[i]);
	}
}

void latency_heatmap_sum(const struct latency_heatmap *latency_heatmap, uint64_t first,
			 size_t slots, uint64_t counts[LATENCY_STEPS])
{
	for (uint64_t at = first; at < first + slots && at <= latency_heatmap->newest; at++) {
		const struct slot *slot = &latency_heatmap->slots[at % LATENCY_SLOTS];

		if (latency_heatmap->newest - at >= LATENCY_SLOTS)
			continue;
		for (unsigned i = 0; i < LATENCY_STEPS; i++)
			counts[i] += slot->counts[i];
	}
}

size_t latency_heatmap_bytes(void)
{
	return LATENCY_SLOTS * sizeof(struct slot);
}
