#include "engine/decode/captured_bytes.h"

#include "engine/record/capture_chunks.h"

#include <string.h>

void captured_bytes_read(void *ctx, const struct call *call, const struct bytes_ask *ask, void *to,
			 struct bytes_answer *answer)
{
	const struct captured_bytes *captured = ctx;
	struct capture_chunk chunk;
	const uint8_t *bytes;

	(void)call;
	answer->len = 0;
	answer->cut = answer->guessed = false;
	answer->origin = BYTES_REGISTER;
	/* The next chunk can continue where this one ends. */
	while (answer->len < ask->len &&
	       capture_chunks_find(captured->chunks, captured->len, ask->address + answer->len,
				   ask->when == BYTES_AT_EXIT, &chunk, &bytes)) {
		uint64_t skip = ask->address + answer->len - chunk.address;
		uint32_t len = chunk.len - (uint32_t)skip;

		if (len > ask->len - answer->len)
			len = ask->len - answer->len;
		memcpy((uint8_t *)to + answer->len, bytes + skip, len);
		answer->len += len;
		answer->cut = chunk.flags & CAPTURE_CUT;
		if (chunk.origin < answer->origin)
			answer->origin = chunk.origin;
		/* An input that the source itself copied later (CAPTURE_LATER) is not a guess. */
		if (chunk.origin == BYTES_LATE && !(chunk.flags & CAPTURE_LATER))
			answer->guessed = true;
		if (ask->text && memchr(bytes + skip, '\0', len))
			break;
	}
	if (answer->len == ask->len)
		answer->cut = false;
}
