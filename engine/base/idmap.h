/*
 * idmap - a hash map from a 64-bit key to a pointer, which is never NULL.
 *
 * Open addressing with linear probing and backward-shift deletion. A lookup costs one
 * multiplication and, nearly always, one cache line; the collector makes several lookups per
 * record. The hash is seeded (hash.h): traced programs cannot choose colliding keys, and the order
 * of slots differs between runs. Values are borrowed. Not thread-safe.
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
void idmap_release(struct idmap *map); /* does not free the values */
void idmap_clear(struct idmap *map); /* removes all entries; retains the memory */

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

/* Prefetch the first slot of a lookup. */
static inline void idmap_prefetch(const struct idmap *map, uint64_t key)
{
	if (map->count)
		__builtin_prefetch(&map->slots[idmap_index(map, key)]);
}

/* Return the bytes of the table, without its values. */
static inline size_t idmap_bytes(const struct idmap *map)
{
	return map->capacity * sizeof(*map->slots);
}

/* Store value under key. Return the previous value, or NULL. */
void *idmap_put(struct idmap *map, uint64_t key, void *value);
void *idmap_remove(struct idmap *map, uint64_t key); /* returns the removed value, or NULL */

/*
 * Return the next used slot at or after *cursor, or NULL at the end. Start with 0. Do not change
 * the map during the iteration.
 */
struct idmap_slot *idmap_next(const struct idmap *map, size_t *cursor);

#endif
