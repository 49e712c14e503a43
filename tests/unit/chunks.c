#include "tests/unit/chunks.h"

#include "tests/unit/runner.h"

#include <string.h>

void chunks_add(struct chunks *chunks, uint64_t address, const void *bytes, uint32_t len,
		uint8_t flags, enum bytes_origin origin)
{
	struct capture_chunk chunk = { address, len, 0, flags, (uint8_t)origin, 0 };
	uint8_t *at = (uint8_t *)chunks->words + chunks->len;

	ck_assert_uint_le(chunks->len + CAPTURE_CHUNK_BYTES(len), sizeof(chunks->words));
	memcpy(at, &chunk, sizeof(chunk));
	memcpy(at + sizeof(chunk), bytes, len);
	chunks->len += CAPTURE_CHUNK_BYTES(len);
}

const struct call_bytes *chunks_bytes(struct chunks *chunks)
{
	chunks->captured = (struct captured_bytes){ chunks->words, chunks->len };
	chunks->provider = (struct call_bytes){ captured_bytes_read, &chunks->captured };
	return &chunks->provider;
}
