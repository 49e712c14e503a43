/*
 * captured_bytes - answers the decoder from the chunks captured with a call.
 *
 *	struct captured_bytes captured = { chunks, len };
 *	struct call_bytes bytes = { captured_bytes_read, &captured };
 *
 * The chunks (engine/record/capture.h) may be anything: what is not whole is
 * not read. What was copied at the enter answers only for the enter, and the
 * other way round, since a call may write what it points to. Any thread.
 */
#ifndef DECODE_CAPTURED_BYTES_H
#define DECODE_CAPTURED_BYTES_H

#include "engine/decode/call_bytes.h"

struct captured_bytes {
	const void *chunks; /* borrowed */
	size_t len;
};

/* A call_bytes.read; ctx is a struct captured_bytes. */
void captured_bytes_read(void *ctx, const struct call *call, const struct bytes_ask *ask, void *to,
			 struct bytes_answer *answer);

#endif
