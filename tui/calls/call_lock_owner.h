/*
 * call_lock_owner - of a call in flight that waits for a futex: who holds it, and what it is
 * called.
 *
 * Both are read from the memory of the process, by a job. UI thread only.
 */
#ifndef CALLS_CALL_LOCK_OWNER_H
#define CALLS_CALL_LOCK_OWNER_H

#include "engine/base/job_queue.h"
#include "tui/session/session.h"

struct call_held {
	struct engine *engine;
	struct call call;
	uint32_t tid; /* 0: nobody knows */
	char futex[ENGINE_FUTEX_NAME_BYTES]; /* "": not known */
};

struct call_lock_owner {
	struct call_held asked; /* the job's while it is away */
	struct call_held known;
	struct job job;
};

/* Its job must be recalled before it goes. */
void call_lock_owner_init(struct call_lock_owner *holder);
/* Asks, if nobody is on his way, and takes what came; true: something came. */
bool call_lock_owner_look(struct call_lock_owner *holder, struct session *session,
			  const struct call *call, bool again);
/* NULL: nothing is known of that call yet. */
const struct call_held *call_lock_owner_of(const struct call_lock_owner *holder,
					   const struct call *call);

#endif
