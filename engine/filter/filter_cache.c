#include "engine/filter/filter_cache.h"

#include "engine/base/mem.h"

#include <stdatomic.h>
#include <stdlib.h>

#define PLACES 4096
#define KNOWN_BITS 3

/* The key in the upper 32 bits, then the version, then enum filter_known. */
struct filter_cache {
	_Atomic uint64_t places[PLACES];
	atomic_bool met_cut;
};

struct filter_cache *filter_cache_new(void)
{
	return mem_zalloc(1, sizeof(struct filter_cache));
}

void filter_cache_free(struct filter_cache *memo)
{
	free(memo);
}

enum filter_known filter_cache_find(const struct filter_cache *memo, uint32_t key,
				    uint32_t *version)
{
	uint64_t entry = atomic_load_explicit(&memo->places[key % PLACES], memory_order_relaxed);

	if (entry >> 32 != key)
		return KNOWN_NOTHING;
	*version = (uint32_t)entry >> KNOWN_BITS;
	return entry & ((1 << KNOWN_BITS) - 1);
}

void filter_cache_store(struct filter_cache *memo, uint32_t key, uint64_t version,
			enum filter_known known)
{
	uint64_t entry = (uint64_t)key << 32 |
			 (uint64_t)FILTER_CACHE_VERSION(version) << KNOWN_BITS | known;

	atomic_store_explicit(&memo->places[key % PLACES], entry, memory_order_relaxed);
	if (known == KNOWN_CUT)
		atomic_store_explicit(&memo->met_cut, true, memory_order_relaxed);
}

bool filter_cache_met_cut(const struct filter_cache *memo)
{
	return atomic_load_explicit(&memo->met_cut, memory_order_relaxed);
}
