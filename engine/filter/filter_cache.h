/*
 * filter_cache - answers of one test that are remembered by a number. Private to engine/filter/.
 *
 * Many calls have one name or one stack, and asking the library about a text takes a hundred
 * times as long as looking here. Bounded: two numbers with the same place push each other out.
 * Any thread.
 */
#ifndef FILTER_FILTER_CACHE_H
#define FILTER_FILTER_CACHE_H

#include <stdint.h>

struct filter_cache;

enum filter_known {
	KNOWN_NOTHING,
	KNOWN_NO,
	KNOWN_YES,
	KNOWN_NO_YET, /* for as long as the version is the same */
};

struct filter_cache *filter_cache_new(void);
void filter_cache_free(struct filter_cache *memo);

/* What is known of `key`; with its version, of which 30 bits count. */
enum filter_known filter_cache_find(const struct filter_cache *memo, uint32_t key,
				    uint32_t *version);
void filter_cache_store(struct filter_cache *memo, uint32_t key, uint64_t version,
			enum filter_known known);
#define FILTER_CACHE_VERSION(version) ((uint32_t)((version)&0x3fffffff))

#endif
