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

/*
 * What a source is told to copy: rules for each system call, made from how the decoder shows
 * it (engine/decode/capture_rules.h). Numbers are whatever a program put into its registers:
 * a source bounds them by `max`.
 */
#define CAPTURE_CALLS 1024     /* of numbers beyond nothing is copied */
#define CAPTURE_RULES 8        /* of one call at most */
#define CAPTURE_BYTES_MAX 4096 /* of one chunk */

enum capture_kind {
	CAPTURE_TEXT,      /* up to its NUL */
	CAPTURE_FIXED,     /* max bytes */
	CAPTURE_BY_ARG,    /* argument `size_arg` times `unit` */
	CAPTURE_BY_RESULT, /* what the call returned, times `unit` */
	CAPTURE_BY_LENGTH, /* the int that argument `size_arg` points to */
	CAPTURE_KIND_COUNT
};

struct capture_rule {
	uint8_t arg;
	uint8_t kind;     /* enum capture_kind */
	uint8_t size_arg; /* of those that have one */
	uint8_t unused;
	uint16_t unit;
	uint16_t max;     /* bytes: <= CAPTURE_BYTES_MAX */
};

struct capture_call {
	uint8_t at_enter, at_exit; /* rules: those first, then these, of calls that succeeded */
	uint8_t unused[6];
	struct capture_rule rules[CAPTURE_RULES];
};

struct capture_rules {
	uint8_t origin; /* that chunks get */
	struct capture_call calls[CAPTURE_CALLS];
};

#endif
