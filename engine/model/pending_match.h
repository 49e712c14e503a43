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

#define PENDING_MATCH_MAX 65536 /* beyond, a call is not kept in mind */

struct pending_match {
	uint64_t *seqs;
	size_t count, cap;
	size_t read, kept; /* of the turn that goes on: those below `kept` wait for the next */
	uint64_t version; /* of the names, when the turn began */
};

void pending_match_release(struct pending_match *pending_match);
void pending_match_clear(struct pending_match *pending_match);

/* False: there are too many. */
bool pending_match_add(struct pending_match *pending_match, uint64_t seq);

/* Whether there is somebody to ask, now that the names are of this version. */
bool pending_match_due(const struct pending_match *pending_match, uint64_t version);
/* The next one of the turn, which ends where there is none. */
bool pending_match_next(struct pending_match *pending_match, uint64_t version, uint64_t *seq);
/* The one that pending_match_next() gave last stays. */
void pending_match_store(struct pending_match *pending_match, uint64_t seq);

#endif
