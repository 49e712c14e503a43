#include "engine/model/pending_match.h"

#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>

void undecided_release(struct undecided *undecided)
{
	free(undecided->seqs);
	*undecided = (struct undecided){ .seqs = NULL };
}

void undecided_clear(struct undecided *undecided)
{
	undecided->count = undecided->read = undecided->kept = 0;
}

bool undecided_add(struct undecided *undecided, uint64_t seq)
{
	if (undecided->count >= UNDECIDED_MAX)
		return false;
	undecided->seqs = mem_grow(undecided->seqs, &undecided->cap, undecided->count + 1,
				   sizeof(*undecided->seqs));
	undecided->seqs[undecided->count++] = seq;
	return true;
}

bool undecided_due(const struct undecided *undecided, uint64_t version)
{
	return undecided->count && (undecided->read || undecided->version != version);
}

static void end_turn(struct undecided *undecided)
{
	undecided->count = undecided->kept;
	undecided->read = undecided->kept = 0;
}

bool undecided_next(struct undecided *undecided, uint64_t version, uint64_t *seq)
{
	if (!undecided->read)
		undecided->version = version;
	if (undecided->read == undecided->count) {
		end_turn(undecided);
		return false;
	}
	*seq = undecided->seqs[undecided->read++];
	return true;
}

void undecided_keep(struct undecided *undecided, uint64_t seq)
{
	undecided->seqs[undecided->kept++] = seq;
}
