/*
 * call_bytes - provides the memory that the arguments of a call point to.
 *
 * The decoder requests bytes by address. A provider replies with the bytes that it has and with
 * their origin. Providers: chunks captured with the call (captured_bytes.h), the sampled user
 * stack, read-only file mappings, late reads. The decoder itself never reads the memory of another
 * process.
 *
 * A provider runs on the formatting thread, in the order in which the arguments are printed, and
 * must not block.
 */
#ifndef DECODE_CALL_BYTES_H
#define DECODE_CALL_BYTES_H

#include "engine/record/call.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From the least to the most certain. A text is as certain as its least certain byte. */
enum bytes_origin {
	BYTES_NONE, /* unknown: the bare pointer is shown */
	BYTES_LATE, /* late read: can have changed since the call */
	BYTES_IMAGE, /* read-only file mapping: exact */
	BYTES_STACK, /* sampled user stack: exact */
	BYTES_KERNEL, /* copied at the enter or the exit: exact */
	BYTES_REGISTER, /* no memory was needed */
	BYTES_ORIGIN_COUNT
};

/* Output arguments are read as they were at the exit. */
enum bytes_when { BYTES_AT_ENTER, BYTES_AT_EXIT };

struct bytes_ask {
	uint64_t address;
	uint32_t len;
	uint8_t arg; /* argument that is printed; unchanged for nested pointers */
	uint8_t when; /* enum bytes_when */
	bool text; /* stop at a NUL: later bytes are not needed */
	uint64_t whole; /* size of the buffer, of which len bytes are wanted; 0: unknown */
};

struct bytes_answer {
	uint32_t len; /* known bytes, starting at ask.address; <= ask.len */
	uint8_t origin; /* enum bytes_origin; undefined if len is 0 */
	bool guessed; /* late read by stxtop, after the enter */
	bool cut; /* len < ask.len because the capture was truncated, not because of a fault */
};

struct call_bytes {
	void (*read)(void *ctx, const struct call *call, const struct bytes_ask *ask, void *to,
		     struct bytes_answer *answer);
	void *ctx;
};

const char *bytes_origin_name(enum bytes_origin origin); /* "kernel"; the name in JSON output */

#endif
