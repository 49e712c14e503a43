/*
 * capture - bytes that a call pointed to, copied while it was entered or left.
 *
 * The format in which a source hands them on and a history keeps them: chunks
 * one behind the other, each a header and its bytes, padded to 8. A chunk says
 * at which address of the calling process it was read, so that what a struct
 * points to (the buffers of a vector, the name in a message) needs no rules of
 * its own. Only fixed-size integers: programs in the kernel write it too.
 *
 * To be kept with a call, the chunks of one call go into the history's arena
 * as they are, and the call has their id and length; no id means no chunks.
 */
#ifndef MODEL_CAPTURE_H
#define MODEL_CAPTURE_H

#include <stdint.h>

enum capture_flag {
	CAPTURE_AT_EXIT = 1 << 0, /* copied when the call returned, else when it was entered */
	CAPTURE_CUT = 1 << 1,     /* there was more, for which there was no room */
};

struct capture_chunk {
	uint64_t address;
	uint32_t len;   /* bytes that follow, without the padding */
	uint8_t arg;    /* the argument on whose behalf it was read */
	uint8_t flags;  /* enum capture_flag */
	uint8_t origin; /* enum bytes_origin of engine/decode/call_bytes.h */
	uint8_t unused;
};

#define CAPTURE_CHUNK_BYTES(len) \
	(sizeof(struct capture_chunk) + (((uint64_t)(len) + 7) & ~(uint64_t)7))

#endif
