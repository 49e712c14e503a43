#include "engine/model/arena.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

/* Size of the length that is stored before each blob. Positions and sizes are multiples of 8. */
#define HEADER_BYTES 8

int arena_init(struct arena *arena, size_t bytes, struct err *err)
{
	void *ring;

	memset(arena, 0, sizeof(*arena));
	arena->end = HEADER_BYTES;
	bytes &= ~(size_t)7;
	if (!bytes)
		return 0;
	ring = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (ring == MAP_FAILED)
		return err_set(
			err, -ENOMEM,
			"cannot reserve %zu MiB for argument data: %s; use a smaller --history",
			bytes >> 20, strerror(errno));
	madvise(ring, bytes, MADV_HUGEPAGE);
	arena->ring = ring;
	arena->bytes = bytes;
	return 0;
}

void arena_release(struct arena *arena)
{
	if (arena->ring)
		munmap(arena->ring, arena->bytes);
	arena->ring = NULL;
	arena->bytes = 0;
}

uint64_t arena_put(struct arena *arena, const void *first, size_t first_len, const void *more,
		   size_t more_len)
{
	uint64_t len = first_len + more_len;
	uint64_t whole = HEADER_BYTES + ((len + 7) & ~(uint64_t)7);
	unsigned char *to;
	uint64_t at;
	size_t place;

	if (!len || whole > arena->bytes / 8)
		return 0;
	place = arena->end % arena->bytes;
	/* A blob is contiguous: if it does not fit at the end of the ring, put it at the start. */
	if (place + whole > arena->bytes) {
		arena->end += arena->bytes - place;
		place = 0;
	}
	at = arena->end;
	to = arena->ring + place;
	arena->end += whole;
	/* The source may be a blob in this ring that overlaps the destination. */
	if (first_len)
		memmove(to + HEADER_BYTES, first, first_len);
	if (more_len)
		memcpy(to + HEADER_BYTES + first_len, more, more_len);
	memcpy(to, &len, sizeof(len));
	return at;
}

const void *arena_get(const struct arena *arena, uint64_t at, size_t *len)
{
	const unsigned char *from;
	uint64_t bytes;

	*len = 0;
	if (!at || arena->end - at > arena->bytes)
		return NULL;
	from = arena->ring + at % arena->bytes;
	memcpy(&bytes, from, sizeof(bytes));
	*len = (size_t)bytes;
	return from + HEADER_BYTES;
}

size_t arena_room(const struct arena *arena, uint64_t at)
{
	uint64_t since = arena->end - at;

	return since > arena->bytes ? 0 : arena->bytes - (size_t)since;
}
