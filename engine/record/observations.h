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

struct findings;

struct findings *findings_new(size_t max_bytes);
void findings_free(struct findings *findings);

/* When the recording begins: what is from before then is told as being of time 0. First. */
void findings_set_began(struct findings *findings, uint64_t began_ns);
void findings_add(struct findings *findings, const struct finding *finding);
/* Is told of each that is added from now on. */
void findings_set_teller(struct findings *findings, finding_fn *teller, void *ctx);
/* By their fed_ns, once those that were known from the start are there. */
void findings_sort(struct findings *findings);

/*
 * The first of a kind that may be about that, and the next of those, in their order; NULL: no
 * more. About: FD pid and from_ns, PLACE and VARIABLE pid and uaddr, HOLDER and BYTES tid and
 * enter_ns, others 0 and 0. The caller compares.
 */
const struct finding *findings_first(struct findings *findings, enum finding_kind kind, uint32_t id,
				     uint64_t of);
const struct finding *findings_next(struct findings *findings, const struct finding *finding);
/*
 * The next in the order of all, if it became known up to until_ns; *cursor begins with 0. NULL:
 * none.
 */
const struct finding *findings_in_order(struct findings *findings, size_t *cursor,
					uint64_t until_ns);
size_t findings_count(struct findings *findings, enum finding_kind kind);

#endif
