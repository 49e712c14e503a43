#include "engine/model/pending_match.h"

#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>

void pending_match_release(struct pending_match *pending_match)
{
	free(pending_match->seqs);
	*pending_match = (struct pending_match){ .seqs = NULL };
}

void pending_match_clear(struct pending_match *pending_match)
{
	pending_match->count = pending_match->read = pending_match->kept = 0;
}

bool pending_match_add(struct pending_match *pending_match, uint64_t seq)
{
	if (pending_match->count >= PENDING_MATCH_MAX)
		return false;
	pending_match->seqs = mem_grow(pending_match->seqs, &pending_match->cap,
				       pending_match->count + 1, sizeof(*pending_match->seqs));
	pending_match->seqs[pending_match->count++] = seq;
	return true;
}

bool pending_match_due(const struct pending_match *pending_match, uint64_t version)
{
	return pending_match->count && (pending_match->read || pending_match->version != version);
}

static void end_turn(struct pending_match *pending_match)
{
	pending_match->count = pending_match->kept;
	pending_match->read = pending_match->kept = 0;
}

bool pending_match_next(struct pending_match *pending_match, uint64_t version, uint64_t *seq)
{
	if (!pending_match->read)
		pending_match->version = version;
	if (pending_match->read == pending_match->count) {
		end_turn(pending_match);
		return false;
	}
	*seq = pending_match->seqs[pending_match->read++];
	return true;
}

void pending_match_store(struct pending_match *pending_match, uint64_t seq)
{
	pending_match->seqs[pending_match->kept++] = seq;
}
