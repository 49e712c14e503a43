/*
 * observations - stores the observations of a recording for queries.
 *
 * If the recording is a seekable file, all observations are added before the first record;
 * otherwise they are added as they are read. Memory is bounded; observations beyond the bound are
 * dropped. Stored observations never change, and pointers to them stay valid until
 * observations_free(). Any thread.
 */
#ifndef RECORD_OBSERVATIONS_H
#define RECORD_OBSERVATIONS_H

#include "engine/record/observation.h"

struct observations;

struct observations *observations_new(size_t max_bytes);
void observations_free(struct observations *observations);

/* Set the start of the recording: earlier times of observations are stored as 0. Call it first. */
void observations_set_began(struct observations *observations, uint64_t began_ns);
void observations_add(struct observations *observations, const struct observation *observation);
/* Set a callback; observations_add() calls it for each observation that it stores later. */
void observations_set_observer(struct observations *observations, observation_fn *observer,
			       void *ctx);
/* Sort by fed_ns, after all observations known at the start have been added. */
void observations_sort(struct observations *observations);

/*
 * Return the first observation of a kind with a key, or the one after `observation`, in order;
 * NULL: none. Key (id, of): FD pid and from_ns; PLACE and VARIABLE pid and uaddr; HOLDER and BYTES
 * tid and enter_ns; else 0, 0. The result can have another key of the same hash: compare the key.
 */
const struct observation *observations_first(struct observations *observations,
					     enum observation_kind kind, uint32_t id, uint64_t of);
const struct observation *observations_next(struct observations *observations,
					    const struct observation *observation);
/*
 * Return the next observation of any kind in order, if its fed_ns is at most until_ns; NULL
 * otherwise. *cursor starts with 0.
 */
const struct observation *observations_in_order(struct observations *observations, size_t *cursor,
						uint64_t until_ns);
size_t observations_count(struct observations *observations, enum observation_kind kind);

#endif
