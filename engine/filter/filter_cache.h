/*
 * filter_cache - results of one test, cached by id. Private to engine/filter/.
 *
 * Many calls share a comm or a stack, and a regular expression match takes a hundred times as long
 * as a lookup. Direct-mapped: ids with the same slot evict each other. Any thread.
 */
#ifndef FILTER_FILTER_CACHE_H
#define FILTER_FILTER_CACHE_H

#include <stdbool.h>
#include <stdint.h>

struct filter_cache;

enum filter_known {
	KNOWN_NOTHING,
	KNOWN_NO,
	KNOWN_YES,
	KNOWN_NO_YET, /* no, while the version is unchanged */
	KNOWN_CUT, /* neither yes nor no: the stack is cut */
};

struct filter_cache *filter_cache_new(void);
void filter_cache_free(struct filter_cache *memo);

/* Return the cached result of `key`. *version: its version, truncated to 29 bits. */
enum filter_known filter_cache_find(const struct filter_cache *memo, uint32_t key,
				    uint32_t *version);
void filter_cache_store(struct filter_cache *memo, uint32_t key, uint64_t version,
			enum filter_known known);
/* True once KNOWN_CUT was stored. */
bool filter_cache_met_cut(const struct filter_cache *memo);
#define FILTER_CACHE_VERSION(version) ((uint32_t)((version)&0x1fffffff))

#endif
