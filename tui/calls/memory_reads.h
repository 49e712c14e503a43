/*
 * memory_reads - records the memory from which the text of an argument is made.
 *
 * The recorder sits between the decoder and the provider of the bytes. It stores each request and
 * its reply:
 *
 *	struct memory_reads seen;
 *	memory_reads_init(&seen);
 *	memory_reads_begin(&seen, bytes);
 *	options.bytes = &seen.provider;
 *	... call_text_arg() ...
 *	memory_reads_end(&seen);
 *	... seen.areas ...
 *
 * Memory use is bounded, whatever is requested. One thread at a time.
 */
#ifndef CALLS_MEMORY_READS_H
#define CALLS_MEMORY_READS_H

#include "engine/base/str.h"
#include "engine/decode/call_bytes.h"

#define MEMORY_READS_AREAS 64
#define MEMORY_READS_BYTES 16384 /* maximum size of all areas together */

/* Adjacent bytes, all as they were at the enter, or all as they were at the exit. */
struct memory_area {
	uint64_t address;
	uint64_t whole; /* length in memory; 0: unknown, but more than `known` */
	uint32_t known; /* available bytes, the first at `address` */
	size_t at; /* offset of the bytes in memory_reads.bytes */
	uint8_t origin; /* enum bytes_origin of the least certain byte; unused if `known` is 0 */
	uint8_t when; /* enum bytes_when */
};

struct memory_reads {
	struct call_bytes provider; /* passed to the decoder between begin and end */
	const struct call_bytes *from;
	struct memory_area areas[MEMORY_READS_AREAS];
	size_t count;
	struct str bytes;
	bool overflowed; /* a bound was reached; some reads are missing */
};

void memory_reads_init(struct memory_reads *seen);
void memory_reads_release(struct memory_reads *seen);

/* Discard all areas. `from` is borrowed until memory_reads_end(). */
void memory_reads_begin(struct memory_reads *seen, const struct call_bytes *from);
/* Join adjacent areas. Areas stay in the order of their first request. */
void memory_reads_end(struct memory_reads *seen);

#endif
