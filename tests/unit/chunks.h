/* chunks - made-up argument bytes of a call, in the format of engine/record/capture.h. */
#ifndef UNIT_CHUNKS_H
#define UNIT_CHUNKS_H

#include "engine/decode/captured_bytes.h"
#include "engine/record/capture.h"

struct chunks {
	uint64_t words[512];
	size_t len;
	struct captured_bytes captured;
	struct call_bytes provider;
};

/* Append a chunk; zero the struct before the first chunk. flags: enum capture_flag. */
void chunks_add(struct chunks *chunks, uint64_t address, const void *bytes, uint32_t len,
		uint8_t flags, enum bytes_origin origin);
/* Return the bytes for a decoder; borrowed. */
const struct call_bytes *chunks_bytes(struct chunks *chunks);

#endif
