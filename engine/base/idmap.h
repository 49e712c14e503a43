/*
 * idmap - a hash map from a 64-bit key to a pointer that is never NULL.
 *
 * Open addressing with linear probing and backward-shift deletion: a look-up is
 * one multiplication and, nearly always, one cache line, which the collector
 * needs several times per record. Nobody can choose keys that collide (hash.h), and the order
 * of the slots differs from run to run. Values are borrowed. Not thread-safe.
 */
#ifndef BASE_IDMAP_H
#define BASE_IDMAP_H

#include "engine/base/hash.h"

#include <stddef.h>
#include <stdint.h>

struct idmap_slot {
	uint64_t key;
	void *value; /* NULL: the slot is free */
};

struct idmap {
	struct idmap_slot *slots;
	size_t capacity; /* a power of two, or 0 before the first put */
	size_t count;
};

/* clang-format off */
#define IDMAP_INIT { .slots = NULL, .capacity = 0, .count = 0 }
/* clang-format on */

void idmap_init(struct idmap *map);
void idmap_release(struct idmap *map); /* the values are the caller's to free */
void idmap_clear(struct idmap *map); /* empties it, memory kept */

static inline size_t idmap_index(const struct idmap *map, uint64_t key)
{
	return (size_t)hash_near(key, 2) & (map->capacity - 1);
}

static inline void *idmap_get(const struct idmap *map, uint64_t key)
{
	if (!map->count)
		return NULL;
	size_t mask = map->capacity - 1;
	for (size_t i = idmap_index(map, key); map->slots[i].value; i = (i + 1) & mask)
		if (map->slots[i].key == key)
			return map->slots[i].value;
	return NULL;
}

/* Has the memory fetched that a look-up to come begins with. */
static inline void idmap_prefetch(const struct idmap *map, uint64_t key)
{
	if (map->count)
		__builtin_prefetch(&map->slots[idmap_index(map, key)]);
}

/* What the table itself takes, without what its values point to. */
static inline size_t idmap_bytes(const struct idmap *map)
{
	return map->capacity * sizeof(*map->slots);
}

/* Stores value under key and returns what was there before, or NULL. */
void *idmap_put(struct idmap *map, uint64_t key, void *value);
void *idmap_remove(struct idmap *map, uint64_t key); /* what was there, or NULL */

/*
 * The next used slot from *cursor on, or NULL at the end; start with 0. The map
 * must not change in between.
 */
struct idmap_slot *idmap_next(const struct idmap *map, size_t *cursor);

#endif
