#include "engine/source/perf/perf_ids.h"

#include "engine/base/mem.h"

#include <stdlib.h>

#define CAPACITY_MIN 64

void perf_ids_init(struct perf_ids *ids)
{
	ids->capacity = CAPACITY_MIN;
	ids->count = 0;
	ids->slots = mem_zalloc(ids->capacity, sizeof(*ids->slots));
}

void perf_ids_release(struct perf_ids *ids)
{
	free(ids->slots);
	ids->slots = NULL;
	ids->capacity = ids->count = 0;
}

static void insert(struct perf_ids *ids, const struct perf_id *id)
{
	size_t i = hash_near(id->id, PERF_ID_BITS) & (ids->capacity - 1);

	while (ids->slots[i].id)
		i = (i + 1) & (ids->capacity - 1);
	ids->slots[i] = *id;
	ids->count++;
}

/* Rebuild the table with `capacity` slots, without the ids of period `drop` (-1: drop none). */
static void rebuild(struct perf_ids *ids, size_t capacity, int drop)
{
	struct perf_id *old = ids->slots;
	size_t old_capacity = ids->capacity;

	ids->slots = mem_zalloc(capacity, sizeof(*ids->slots));
	ids->capacity = capacity;
	ids->count = 0;
	for (size_t i = 0; i < old_capacity; i++)
		if (old[i].id && old[i].period != drop)
			insert(ids, &old[i]);
	free(old);
}

void perf_ids_add(struct perf_ids *ids, const struct perf_id *id)
{
	if (!id->id || perf_ids_find(ids, id->id))
		return;
	if ((ids->count + 1) * 4 > ids->capacity)
		rebuild(ids, ids->capacity * 2, -1);
	insert(ids, id);
}

void perf_ids_drop(struct perf_ids *ids, uint8_t period)
{
	rebuild(ids, ids->capacity, period);
}
