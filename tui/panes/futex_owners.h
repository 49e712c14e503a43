/*
 * futex_owners - owners of the locks in the visible rows. An owner is a guess from the memory of
 * other processes, so a job reads it.
 *
 * An owner is shown until a later read returns another one. UI thread only.
 */
#ifndef PANES_FUTEX_OWNERS_H
#define PANES_FUTEX_OWNERS_H

#include "engine/base/job_queue.h"
#include "engine/engine.h"

#define FUTEX_OWNERS_MAX 256 /* maximum number of stored owners; more than a screen has rows */
#define FUTEX_OWNERS_AT_ONCE 32 /* maximum number of owners that one job reads */

struct futex_owner {
	uint64_t id; /* id of its row */
	uint32_t tid;
	bool wanted;
};

/* Belongs to the job while it is pending. */
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
	size_t asked_count; /* number of rows in `asked` for the next job */
	struct job job;
};

/* There is no release function; cancel `job` before the memory is freed. */
void futex_owners_init(struct futex_owners *owners);

/* Read all visible owners again; call after the rows were read again. */
void futex_owners_renew(struct futex_owners *owners);
/* Return the tid of the owner and queue a read if it is outdated; 0: unknown, or not read yet. */
uint32_t futex_owners_of(struct futex_owners *owners, const struct engine_futex *row);
/* As futex_owners_of(), without queuing a read. */
uint32_t futex_owners_known(const struct futex_owners *owners, const struct engine_futex *row);
/* Take the results of a finished job and submit the queued reads. */
void futex_owners_look(struct futex_owners *owners, struct engine *engine,
		       struct job_queue *job_queue);

#endif
