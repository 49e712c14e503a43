/*
 * call_lock_owner - lock owner and futex name for a call in flight that waits on a futex.
 *
 * A job reads both from the memory of the process. UI thread only.
 */
#ifndef CALLS_CALL_LOCK_OWNER_H
#define CALLS_CALL_LOCK_OWNER_H

#include "engine/base/job_queue.h"
#include "tui/session/session.h"

struct call_held {
	struct engine *engine;
	struct call call;
	uint32_t tid; /* of the lock owner; 0: unknown */
	char futex[ENGINE_FUTEX_NAME_BYTES]; /* "": unknown */
};

struct call_lock_owner {
	struct call_held asked; /* belongs to the job while it is pending */
	struct call_held known;
	struct job job;
};

/* Cancel .job before the struct is freed. */
void call_lock_owner_init(struct call_lock_owner *holder);
/*
 * Take the result of the job, and submit a query unless one is pending. `again` repeats the query
 * for a call whose result is stored. True if a result arrived.
 */
bool call_lock_owner_look(struct call_lock_owner *holder, struct session *session,
			  const struct call *call, bool again);
/* Return the stored result for this call; NULL: none yet. */
const struct call_held *call_lock_owner_of(const struct call_lock_owner *holder,
					   const struct call *call);

#endif
