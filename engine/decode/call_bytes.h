/*
 * call_bytes - what a call's arguments point to, from wherever it is known.
 *
 * The decoder asks for bytes by address; a provider answers with what it has
 * and where that came from. Providers: the chunks that were captured with the
 * call (capture.h), the sampled user stack, read-only file mappings, memory
 * that is read late. The decoder never reads another process by itself.
 *
 * A provider is called on the thread that formats, in the order in which the
 * arguments are printed, and must not block.
 */
#ifndef DECODE_CALL_BYTES_H
#define DECODE_CALL_BYTES_H

#include "engine/record/call.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From the least to the most certain: a text is as certain as its worst byte. */
enum bytes_origin {
	BYTES_NONE, /* not known: the bare pointer is shown */
	BYTES_LATE, /* read after the event: may have changed since */
	BYTES_IMAGE, /* a read-only mapping of a file: exact */
	BYTES_STACK, /* inside the sampled user stack: exact */
	BYTES_KERNEL, /* copied while the call was entered or left: exact */
	BYTES_REGISTER, /* no memory was needed */
	BYTES_ORIGIN_COUNT
};

/* Arguments that the call fills in are asked for as they were when it returned. */
enum bytes_when { BYTES_AT_ENTER, BYTES_AT_EXIT };

struct bytes_ask {
	uint64_t address;
	uint32_t len;
	uint8_t arg; /* the argument on whose behalf: nested pointers keep it */
	uint8_t when; /* enum bytes_when */
	bool text; /* stops at a NUL: nothing behind it is wanted */
	uint64_t whole; /* so many are there, of which len are wanted; 0: nobody knows */
};

struct bytes_answer {
	uint32_t len; /* bytes from ask.address on that are known, <= ask.len */
	uint8_t origin; /* enum bytes_origin; of no meaning when len is 0 */
	bool guessed; /* read from the process's memory by this program, after the enter */
	bool cut; /* len < ask.len because no more was kept, not for a fault */
};

struct call_bytes {
	void (*read)(void *ctx, const struct call *call, const struct bytes_ask *ask, void *to,
		     struct bytes_answer *answer);
	void *ctx;
};

const char *bytes_origin_name(enum bytes_origin origin); /* "kernel"; as JSON has it */

#endif
