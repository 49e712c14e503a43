#include "engine/base/idmap.h"

#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>

void idmap_init(struct idmap *map)
{
	*map = (struct idmap)IDMAP_INIT;
}

void idmap_release(struct idmap *map)
{
	free(map->slots);
	idmap_init(map);
}

void idmap_clear(struct idmap *map)
{
	if (map->slots)
		memset(map->slots, 0, map->capacity * sizeof(*map->slots));
	map->count = 0;
}

static void grow(struct idmap *map)
{
	struct idmap bigger = { .capacity = map->capacity ? map->capacity * 2 : 16 };

	bigger.slots = mem_zalloc(bigger.capacity, sizeof(*bigger.slots));
	for (size_t i = 0; i < map->capacity; i++)
		if (map->slots[i].value)
			idmap_put(&bigger, map->slots[i].key, map->slots[i].value);
	free(map->slots);
	*map = bigger;
}

void *idmap_put(struct idmap *map, uint64_t key, void *value)
{
	if ((map->count + 1) * 2 > map->capacity)
		grow(map);
	size_t i = idmap_index(map, key);
	while (map->slots[i].value) {
		if (map->slots[i].key == key) {
			void *old = map->slots[i].value;
			map->slots[i].value = value;
			return old;
		}
		i = (i + 1) & (map->capacity - 1);
	}
	map->slots[i] = (struct idmap_slot){ .key = key, .value = value };
	map->count++;
	return NULL;
}

void *idmap_remove(struct idmap *map, uint64_t key)
{
	if (!map->count)
		return NULL;
	size_t mask = map->capacity - 1;
	size_t i = idmap_index(map, key);
	while (map->slots[i].value && map->slots[i].key != key)
		i = (i + 1) & mask;
	void *old = map->slots[i].value;
	if (!old)
		return NULL;
	map->count--;
	/* Move later entries of the run back, so that no lookup stops at the gap. */
	for (size_t j = (i + 1) & mask; map->slots[j].value; j = (j + 1) & mask) {
		size_t home = idmap_index(map, map->slots[j].key);
		if (((j - home) & mask) >= ((j - i) & mask)) {
			map->slots[i] = map->slots[j];
			i = j;
		}
	}
	map->slots[i].value = NULL;
	return old;
}

struct idmap_slot *idmap_next(const struct idmap *map, size_t *cursor)
{
	while (*cursor < map->capacity) {
		struct idmap_slot *slot = &map->slots[(*cursor)++];
		if (slot->value)
			return slot;
	}
	return NULL;
}
