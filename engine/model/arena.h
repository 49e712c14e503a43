/*
 * arena - ring of byte blobs; the oldest blob is evicted first.
 *
 * A blob is identified by its position, which counts all bytes since arena_init() and never
 * repeats. 0: no blob. A blob is gone once later blobs have overwritten it. Not thread-safe: the
 * owner locks.
 */
#ifndef MODEL_ARENA_H
#define MODEL_ARENA_H

#include "engine/base/err.h"

#include <stddef.h>
#include <stdint.h>

struct arena {
	unsigned char *ring;
	size_t bytes;
	uint64_t end; /* position of the next blob */
};

/* -ENOMEM with a message. bytes 0: the arena stores nothing. */
int arena_init(struct arena *arena, size_t bytes, struct err *err);
void arena_release(struct arena *arena);

/*
 * Store `first` followed by `more` as one blob and return its position. 0: the blob is empty or
 * takes more than an eighth of the ring.
 */
uint64_t arena_put(struct arena *arena, const void *first, size_t first_len, const void *more,
		   size_t more_len);
/* Borrowed until the next put. NULL and length 0 if the blob is gone. */
const void *arena_get(const struct arena *arena, uint64_t at, size_t *len);
/* Return how many bytes can be put before the blob at `at` is overwritten. */
size_t arena_room(const struct arena *arena, uint64_t at);

#endif
