/*
 * pending_match - calls in the history whose filter result waits for symbols.
 *
 * The filter needs function names that are being looked up. The sequence numbers of these calls are
 * stored here. When symbols arrive, the filter tests all of them again, one round in several steps.
 * Owned and locked by the model.
 */
#ifndef MODEL_PENDING_MATCH_H
#define MODEL_PENDING_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PENDING_MATCH_MAX 65536 /* further calls are not stored */

struct pending_match {
	uint64_t *seqs;
	size_t count, cap;
	size_t read, kept; /* of the current round; entries below `kept` are for the next round */
	uint64_t version; /* version of the symbols when the round began */
};

void pending_match_release(struct pending_match *pending_match);
void pending_match_clear(struct pending_match *pending_match);

/* False if PENDING_MATCH_MAX calls are pending. */
bool pending_match_add(struct pending_match *pending_match, uint64_t seq);

/* True if a round is in progress, or calls are pending and the symbols have a new version. */
bool pending_match_due(const struct pending_match *pending_match, uint64_t version);
/* Return the next call of the round. False: the round is finished. */
bool pending_match_next(struct pending_match *pending_match, uint64_t version, uint64_t *seq);
/* Store the call that pending_match_next() returned last for the next round. */
void pending_match_store(struct pending_match *pending_match, uint64_t seq);

#endif
