/*
 * observations - what a recording tells beside its records, kept to be asked for.
 *
 * Known as a whole before the first record where the recording lets itself be read from its
 * end, otherwise as they come. Bounded: what there is no room for is forgotten. What was added
 * stays as long as the whole, and does not change, so pointers to it may be kept. Any thread.
 */
#ifndef RECORD_OBSERVATIONS_H
#define RECORD_OBSERVATIONS_H

#include "engine/record/observation.h"

struct observations;

struct observations *observations_new(size_t max_bytes);
void observations_free(struct observations *observations);

/* When the recording begins: what is from before then is told as being of time 0. First. */
void observations_set_began(struct observations *observations, uint64_t began_ns);
void observations_add(struct observations *observations, const struct observation *observation);
/* Is told of each that is added from now on. */
void observations_set_observer(struct observations *observations, observation_fn *observer,
			       void *ctx);
/* By their fed_ns, once those that were known from the start are there. */
void observations_sort(struct observations *observations);

/*
 * The first of a kind that may be about that, and the next of those, in their order; NULL: no
 * more. About: FD pid and from_ns, PLACE and VARIABLE pid and uaddr, HOLDER and BYTES tid and
 * enter_ns, others 0 and 0. The caller compares.
 */
const struct observation *observations_first(struct observations *observations,
					     enum observation_kind kind, uint32_t id, uint64_t of);
const struct observation *observations_next(struct observations *observations,
					    const struct observation *observation);
/*
 * The next in the order of all, if it became known up to until_ns; *cursor begins with 0. NULL:
 * none.
 */
const struct observation *observations_in_order(struct observations *observations, size_t *cursor,
						uint64_t until_ns);
size_t observations_count(struct observations *observations, enum observation_kind kind);

#endif
