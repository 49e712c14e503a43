/*
 * captured_bytes - provides the decoder with the chunks captured with a call.
 *
 *	struct captured_bytes captured = { chunks, len };
 *	struct call_bytes bytes = { captured_bytes_read, &captured };
 *
 * The chunks (engine/record/capture.h) are untrusted: an incomplete chunk is not read. A chunk
 * copied at the enter serves only requests for the enter. A chunk copied at the exit serves only
 * requests for the exit, because a call can overwrite the memory. Any thread.
 */
#ifndef DECODE_CAPTURED_BYTES_H
#define DECODE_CAPTURED_BYTES_H

#include "engine/decode/call_bytes.h"

struct captured_bytes {
	const void *chunks; /* borrowed */
	size_t len;
};

/* Implements call_bytes.read; ctx is a struct captured_bytes. */
void captured_bytes_read(void *ctx, const struct call *call, const struct bytes_ask *ask, void *to,
			 struct bytes_answer *answer);

#endif
