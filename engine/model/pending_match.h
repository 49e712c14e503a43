/*
 * pending_match - calls of the history of which the filter cannot say yet whether it takes them.
 *
 * It asks for names of functions that are being looked up. The calls wait here, by their
 * numbers, and are asked again in turns when names came. Owned and locked by the model.
 */
#ifndef MODEL_PENDING_MATCH_H
#define MODEL_PENDING_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UNDECIDED_MAX 65536 /* beyond, a call is not kept in mind */

struct undecided {
	uint64_t *seqs;
	size_t count, cap;
	size_t read, kept; /* of the turn that goes on: those below `kept` wait for the next */
	uint64_t version; /* of the names, when the turn began */
};

void undecided_release(struct undecided *undecided);
void undecided_clear(struct undecided *undecided);

/* False: there are too many. */
bool undecided_add(struct undecided *undecided, uint64_t seq);

/* Whether there is somebody to ask, now that the names are of this version. */
bool undecided_due(const struct undecided *undecided, uint64_t version);
/* The next one of the turn, which ends where there is none. */
bool undecided_next(struct undecided *undecided, uint64_t version, uint64_t *seq);
/* The one that undecided_next() gave last stays. */
void undecided_keep(struct undecided *undecided, uint64_t seq);

#endif
