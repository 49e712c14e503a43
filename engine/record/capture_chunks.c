#include "engine/record/capture_chunks.h"

#include <string.h>

/* Read the chunk at *at and advance *at to the next one. False at the end. */
static bool next_chunk(const uint8_t **at, size_t *len, struct capture_chunk *chunk,
		       const uint8_t **bytes)
{
	uint64_t whole;

	if (*len < sizeof(*chunk))
		return false;
	memcpy(chunk, *at, sizeof(*chunk));
	if (chunk->len > *len - sizeof(*chunk))
		return false;
	*bytes = *at + sizeof(*chunk);
	whole = CAPTURE_CHUNK_BYTES(chunk->len);
	if (whole > *len)
		whole = *len;
	*at += whole;
	*len -= whole;
	return true;
}

const void *capture_chunks_next(const void **at, size_t *left, struct capture_chunk *chunk,
				size_t *whole)
{
	const uint8_t *next = *at, *bytes;
	const void *found = *at;

	if (!next_chunk(&next, left, chunk, &bytes))
		return NULL;
	*whole = (size_t)(next - (const uint8_t *)found);
	*at = next;
	return found;
}

uint64_t capture_chunks_read_ns(const void *chunks, size_t len)
{
	const uint8_t *at = chunks, *bytes;
	struct capture_chunk chunk;

	while (next_chunk(&at, &len, &chunk, &bytes))
		if (chunk.flags & CAPTURE_TIME)
			return chunk.address;
	return 0;
}

bool capture_chunks_find(const void *chunks, size_t len, uint64_t address, bool at_exit,
			 struct capture_chunk *chunk, const uint8_t **bytes)
{
	const uint8_t wanted = at_exit ? CAPTURE_AT_EXIT : 0;
	const uint8_t *at = chunks;

	while (next_chunk(&at, &len, chunk, bytes))
		if ((chunk->flags & (CAPTURE_AT_EXIT | CAPTURE_NO_MEMORY)) == wanted &&
		    address >= chunk->address && address - chunk->address < chunk->len)
			return true;
	return false;
}

const uint8_t *capture_chunks_file(const void *chunks, size_t chunks_len, int fd, size_t *len)
{
	const uint8_t *at = chunks, *bytes;
	struct capture_chunk chunk;

	while (next_chunk(&at, &chunks_len, &chunk, &bytes)) {
		if (!(chunk.flags & CAPTURE_NO_MEMORY) || chunk.flags & CAPTURE_TIME ||
		    (int)chunk.address != fd || chunk.len < sizeof(struct capture_file))
			continue;
		*len = chunk.len;
		return bytes;
	}
	return NULL;
}

bool capture_chunks_read(const void *chunks, size_t chunks_len, uint64_t address, bool at_exit,
			 void *to, size_t len)
{
	struct capture_chunk chunk;
	const uint8_t *bytes;
	uint64_t skip;

	if (!capture_chunks_find(chunks, chunks_len, address, at_exit, &chunk, &bytes))
		return false;
	skip = address - chunk.address;
	if (chunk.len - skip < len)
		return false;
	memcpy(to, bytes + skip, len);
	return true;
}

bool capture_chunks_text(const void *chunks, size_t chunks_len, uint64_t address, bool at_exit,
			 const char **text, size_t *len)
{
	struct capture_chunk chunk;
	const uint8_t *bytes;
	uint64_t skip;

	if (!capture_chunks_find(chunks, chunks_len, address, at_exit, &chunk, &bytes))
		return false;
	skip = address - chunk.address;
	*text = (const char *)bytes + skip;
	*len = strnlen(*text, chunk.len - skip);
	return *len < chunk.len - skip || chunk.flags & CAPTURE_CUT;
}
