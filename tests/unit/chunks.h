/* chunks - bytes that a call pointed to, made up, in the format of engine/record/capture.h. */
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

/* Into zeroed chunks; flags of enum capture_flag. */
void chunks_add(struct chunks *chunks, uint64_t address, const void *bytes, uint32_t len,
		uint8_t flags, enum bytes_origin origin);
/* For a decoder; borrowed. */
const struct call_bytes *chunks_bytes(struct chunks *chunks);

#endif
