/*
 * arena - the last blobs that were put, in a fixed ring; oldest out first.
 *
 * A blob is known by where it was put; that number never repeats, and 0 is none. Once so
 * much was put behind it that its place is another's, it is gone. Owned and locked by
 * whoever has it.
 */
#ifndef MODEL_ARENA_H
#define MODEL_ARENA_H

#include "engine/base/err.h"

#include <stddef.h>
#include <stdint.h>

struct arena {
	unsigned char *ring;
	size_t bytes;
	uint64_t end; /* where the next one goes, counted from the beginning of time */
};

/* -ENOMEM with a sentence; bytes 0: nothing is ever kept. */
int arena_init(struct arena *arena, size_t bytes, struct err *err);
void arena_release(struct arena *arena);

/* Of both parts, one behind the other; 0: it was empty, or larger than an eighth of all. */
uint64_t arena_put(struct arena *arena, const void *first, size_t first_len, const void *more,
		   size_t more_len);
/* Borrowed until the next put; NULL and 0: it is gone. */
const void *arena_get(const struct arena *arena, uint64_t at, size_t *len);
/* How many bytes may still be put until the blob at `at` goes. */
size_t arena_room(const struct arena *arena, uint64_t at);

#endif
