/*
 * unwind_cache - the stacks of samples like this one, without unwinding them again.
 *
 * Which frames a sample has is decided by the few registers and stack words
 * that the unwinder looked at, in an order in which each step depends on what was found
 * before. The memo is that tree of questions: one step for each word, an answer
 * at the end. Addresses in the sampled stack count from the stack pointer, so that it
 * serves every thread. Full, it is emptied. One thread at a time.
 */
#ifndef STACK_UNWIND_CACHE_H
#define STACK_UNWIND_CACHE_H

#include "engine/helper/worker_wire.h"

struct unwind_cache;

/* The space that a sample is of, as it was then. */
struct unwind_space {
	uint32_t pid, generation, version;
};

struct unwound {
	const uint64_t *ips; /* innermost first; borrowed */
	uint16_t count;
	/* enum stack_flag: USER_DWARF, and USER_STOPPED or USER_CUT, and where guesses begin. */
	uint32_t flags;
};

struct unwind_cache *unwind_cache_new(void);
void unwind_cache_free(struct unwind_cache *memo);

/* `stack` is sample->bytes long. False: no sample like this one is known. */
bool unwind_cache_find(const struct unwind_cache *memo, const struct unwind_space *space,
		       const struct wire_sample *sample, const unsigned char *stack,
		       struct unwound *unwound);
void unwind_cache_add(struct unwind_cache *memo, const struct unwind_space *space,
		      const struct wire_sample *sample, const unsigned char *stack,
		      const struct wire_read *reads, uint16_t reads_count,
		      const struct unwound *unwound);

size_t unwind_cache_bytes(const struct unwind_cache *memo); /* of memory */

#endif
