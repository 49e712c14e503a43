#include "engine/model/capture_chunks.h"

#include <string.h>

bool capture_chunks_find(const void *chunks, size_t len, uint64_t address, bool at_exit,
			 struct capture_chunk *chunk, const uint8_t **bytes)
{
	const uint8_t *at = chunks;
	const uint8_t wanted = at_exit ? CAPTURE_AT_EXIT : 0;

	while (len >= sizeof(*chunk)) {
		uint64_t whole;

		memcpy(chunk, at, sizeof(*chunk));
		whole = CAPTURE_CHUNK_BYTES(chunk->len);
		if (chunk->len > len - sizeof(*chunk))
			return false;
		if ((chunk->flags & CAPTURE_AT_EXIT) == wanted && address >= chunk->address &&
		    address - chunk->address < chunk->len) {
			*bytes = at + sizeof(*chunk);
			return true;
		}
		if (whole >= len)
			return false;
		at += whole;
		len -= whole;
	}
	return false;
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
