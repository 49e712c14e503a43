/*
 * unwind_cache - stacks of earlier samples, reused for samples with the same words.
 *
 * The frames of a sample depend only on the registers and stack words that the unwinder read. Each
 * read depends on the values before it. The cache is that decision tree: one node for each word
 * read, a stack at each leaf. Addresses in the sampled stack are relative to the stack pointer, so
 * a stack serves every thread. A full cache is emptied. One thread at a time.
 */
#ifndef STACK_UNWIND_CACHE_H
#define STACK_UNWIND_CACHE_H

#include "engine/helper/worker_wire.h"

struct unwind_cache;

/* Address space of a sample, at the time of the sample. */
struct unwind_space {
	uint32_t pid, generation, version;
};

struct unwound {
	const uint64_t *ips; /* innermost first; borrowed */
	uint16_t count;
	/*
	 * enum stack_flag: USER_DWARF, with USER_STOPPED or USER_CUT, and the first guessed frame.
	 */
	uint32_t flags;
};

struct unwind_cache *unwind_cache_new(void);
void unwind_cache_free(struct unwind_cache *memo);

/* Look up a sample; `stack` has sample->bytes bytes. False: no such sample is cached. */
bool unwind_cache_find(const struct unwind_cache *memo, const struct unwind_space *space,
		       const struct wire_sample *sample, const unsigned char *stack,
		       struct unwound *unwound);
void unwind_cache_add(struct unwind_cache *memo, const struct unwind_space *space,
		      const struct wire_sample *sample, const unsigned char *stack,
		      const struct wire_read *reads, uint16_t reads_count,
		      const struct unwound *unwound);

size_t unwind_cache_bytes(const struct unwind_cache *memo); /* memory */

#endif
