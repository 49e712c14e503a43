#include "engine/decode/captured_bytes.h"

#include "engine/model/capture.h"

#include <string.h>

/* The chunk that holds `address`, with its bytes; false: none does. */
static bool find_chunk(const struct captured_bytes *captured, uint64_t address, uint8_t when,
		       struct capture_chunk *chunk, const uint8_t **bytes)
{
	const uint8_t *at = captured->chunks;
	size_t left = captured->len;
	const uint8_t wanted = when == BYTES_AT_EXIT ? CAPTURE_AT_EXIT : 0;

	while (left >= sizeof(*chunk)) {
		uint64_t whole;

		memcpy(chunk, at, sizeof(*chunk));
		whole = CAPTURE_CHUNK_BYTES(chunk->len);
		if (chunk->len > left - sizeof(*chunk))
			return false;
		if ((chunk->flags & CAPTURE_AT_EXIT) == wanted && address >= chunk->address &&
		    address - chunk->address < chunk->len) {
			*bytes = at + sizeof(*chunk);
			return true;
		}
		if (whole >= left)
			return false;
		at += whole;
		left -= whole;
	}
	return false;
}

void captured_bytes_read(void *ctx, const struct call *call, const struct bytes_ask *ask, void *to,
			 struct bytes_answer *answer)
{
	const struct captured_bytes *captured = ctx;
	struct capture_chunk chunk;
	const uint8_t *bytes;

	(void)call;
	answer->len = 0;
	answer->cut = false;
	answer->origin = BYTES_REGISTER;
	/* What one chunk ends, the next may go on with. */
	while (answer->len < ask->len &&
	       find_chunk(captured, ask->address + answer->len, ask->when, &chunk, &bytes)) {
		uint64_t skip = ask->address + answer->len - chunk.address;
		uint32_t len = chunk.len - (uint32_t)skip;

		if (len > ask->len - answer->len)
			len = ask->len - answer->len;
		memcpy((uint8_t *)to + answer->len, bytes + skip, len);
		answer->len += len;
		answer->cut = chunk.flags & CAPTURE_CUT;
		if (chunk.origin < answer->origin)
			answer->origin = chunk.origin;
		if (ask->text && memchr(bytes + skip, '\0', len))
			break;
	}
	if (answer->len == ask->len)
		answer->cut = false;
}
