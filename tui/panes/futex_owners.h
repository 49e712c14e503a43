/*
 * futex_owners - who holds the locks in sight: a guess, read from other processes' memory, and
 * so by a job.
 *
 * An owner is shown until the answer to a later question says another. UI thread only.
 */
#ifndef PANES_FUTEX_OWNERS_H
#define PANES_FUTEX_OWNERS_H

#include "engine/base/job_queue.h"
#include "engine/engine.h"

#define FUTEX_OWNERS_MAX 256 /* more rows than a screen has */
#define FUTEX_OWNERS_AT_ONCE 32 /* in one job */

struct futex_owner {
	uint64_t id; /* of its row */
	uint32_t tid;
	bool wanted;
};

/* The job's while it is away. */
struct futex_owners_asked {
	struct engine *engine;
	struct engine_futex rows[FUTEX_OWNERS_AT_ONCE];
	uint32_t tids[FUTEX_OWNERS_AT_ONCE];
	size_t count;
};

struct futex_owners {
	struct futex_owner owners[FUTEX_OWNERS_MAX];
	size_t count;
	struct futex_owners_asked asked;
	size_t asked_count; /* in the next job, while this one is not away */
	struct job job;
};

/* It has nothing to be freed, but its job must be recalled before it goes. */
void futex_owners_init(struct futex_owners *owners);

/* The rows were read anew: all in sight are asked for again. */
void futex_owners_renew(struct futex_owners *owners);
/* A thread's tid, 0: nobody knows, or not yet. */
uint32_t futex_owners_of(struct futex_owners *owners, const struct engine_futex *row);
/* The same without asking for it. */
uint32_t futex_owners_known(const struct futex_owners *owners, const struct engine_futex *row);
/* Sends for those that were asked for and not known, takes what came back. */
void futex_owners_look(struct futex_owners *owners, struct engine *engine,
		       struct job_queue *job_queue);

#endif
