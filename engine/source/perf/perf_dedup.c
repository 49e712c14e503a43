#include "engine/source/perf/perf_dedup.h"

void perf_dedup_init(struct perf_dedup *dedup)
{
	idmap_init(&dedup->doubtful);
	idmap_init(&dedup->reported);
	dedup->overlap_until_ns = 0;
}

void perf_dedup_release(struct perf_dedup *dedup)
{
	idmap_release(&dedup->doubtful);
	idmap_release(&dedup->reported);
}

static uint64_t doubt_key(uint64_t period, uint32_t tid)
{
	return period << 32 | tid;
}

void perf_dedup_doubt(struct perf_dedup *dedup, uint8_t period, uint32_t tid)
{
	idmap_put(&dedup->doubtful, doubt_key(period, tid), (void *)(uintptr_t)tid);
}

bool perf_dedup_other_event_counts(const struct perf_dedup *dedup, uint32_t tid,
				   const struct perf_id *event)
{
	const void *counts = idmap_get(&dedup->doubtful, doubt_key(event->period, tid));

	return counts && (uint32_t)(uintptr_t)counts != event->root;
}

void perf_dedup_inherit(struct perf_dedup *dedup, uint32_t tid, uint32_t parent_tid)
{
	void *root;

	for (uint64_t period = 0; dedup->doubtful.count && period <= UINT8_MAX; period++) {
		root = idmap_get(&dedup->doubtful, doubt_key(period, parent_tid));
		/* A child with events of its own continues to use those. */
		if (root && !idmap_get(&dedup->doubtful, doubt_key(period, tid)))
			idmap_put(&dedup->doubtful, doubt_key(period, tid), root);
	}
}

void perf_dedup_forget(struct perf_dedup *dedup, uint32_t tid)
{
	for (uint64_t period = 0; dedup->doubtful.count && period <= UINT8_MAX; period++)
		idmap_remove(&dedup->doubtful, doubt_key(period, tid));
}

bool perf_dedup_doubts(const struct perf_dedup *dedup, uint8_t period)
{
	const struct idmap_slot *slot;
	size_t cursor = 0;

	while ((slot = idmap_next(&dedup->doubtful, &cursor)))
		if (slot->key >> 32 == period)
			return true;
	return false;
}

void perf_dedup_end_period(struct perf_dedup *dedup, uint8_t period)
{
	struct idmap_slot *slot;
	size_t cursor;

	/* A removal moves slots, so start over after each. There are few entries, usually none. */
	do {
		cursor = 0;
		while ((slot = idmap_next(&dedup->doubtful, &cursor)))
			if (slot->key >> 32 == period)
				break;
		if (slot)
			idmap_remove(&dedup->doubtful, slot->key);
	} while (slot);
}

void perf_dedup_end_overlap(struct perf_dedup *dedup)
{
	idmap_clear(&dedup->reported);
	dedup->overlap_until_ns = 0;
}

/* Return a value that identifies an enter or exit and its set; never 0. */
static uintptr_t reported_value(const struct perf_id *event, uint32_t nr)
{
	return (uintptr_t)nr << 24 | (uintptr_t)event->period << 8 | event->kind;
}

bool perf_dedup_remember(struct perf_dedup *dedup, uint32_t tid, const struct perf_id *event,
			 uint32_t nr)
{
	const uintptr_t period_bits = (uintptr_t)UINT8_MAX << 8;
	uintptr_t value = reported_value(event, nr);
	uintptr_t last = (uintptr_t)idmap_get(&dedup->reported, tid);

	if (last && last != value && (last & ~period_bits) == (value & ~period_bits))
		return true;
	idmap_put(&dedup->reported, tid, (void *)value);
	return false;
}
