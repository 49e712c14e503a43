/*
 * memory_reads - what memory the text of an argument was made from.
 *
 * Stands between the decoder and what knows the bytes, and keeps what was asked for and what
 * was answered:
 *
 *	struct memory_reads seen;
 *	memory_reads_init(&seen);
 *	memory_reads_begin(&seen, bytes);
 *	options.bytes = &seen.provider;
 *	... call_text_arg() ...
 *	memory_reads_end(&seen);
 *	... seen.areas ...
 *
 * Bounded, whatever is asked for. One thread at a time.
 */
#ifndef CALLS_MEMORY_READS_H
#define CALLS_MEMORY_READS_H

#include "engine/base/str.h"
#include "engine/decode/call_bytes.h"

#define MEMORY_READS_AREAS 64
#define MEMORY_READS_BYTES 16384 /* of all areas */

/* Bytes beside each other that were asked for as one time of the call. */
struct memory_area {
	uint64_t address;
	uint64_t whole; /* bytes that are there; 0: more than are known, nobody knows how many */
	uint32_t known; /* bytes from address on */
	size_t at; /* where in .bytes they stand */
	uint8_t origin; /* enum bytes_origin, the least certain; of no meaning at 0 known */
	uint8_t when; /* enum bytes_when */
};

struct memory_reads {
	struct call_bytes provider; /* for the decoder, between begin and end */
	const struct call_bytes *from;
	struct memory_area areas[MEMORY_READS_AREAS];
	size_t count;
	struct str bytes;
	bool overflowed; /* there was more than there is room for */
};

void memory_reads_init(struct memory_reads *seen);
void memory_reads_release(struct memory_reads *seen);

/* Forgets everything; `from` is borrowed until the end. */
void memory_reads_begin(struct memory_reads *seen, const struct call_bytes *from);
/* Puts what lies beside each other together, in the order in which it was asked for first. */
void memory_reads_end(struct memory_reads *seen);

#endif
