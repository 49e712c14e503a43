#include "tui/calls/call_lock_owner.h"

#include <string.h>

static bool is_same(const struct call *a, const struct call *b)
{
	return a->tid == b->tid && a->enter_ns == b->enter_ns && a->nr == b->nr;
}

/* Runs on the job thread. */
static void ask(void *ctx)
{
	struct call_held *asked = ctx;

	asked->tid = engine_futex_owner(asked->engine, &asked->call);
	engine_call_futex_name(asked->engine, &asked->call, asked->futex);
}

void call_lock_owner_init(struct call_lock_owner *holder)
{
	memset(holder, 0, sizeof(*holder));
	holder->job = (struct job){ .run = ask, .ctx = &holder->asked };
}

bool call_lock_owner_look(struct call_lock_owner *holder, struct session *session,
			  const struct call *call, bool again)
{
	bool came = job_is_done(&holder->job);

	if (came)
		holder->known = holder->asked;
	if (job_is_pending(&holder->job) || (!again && call_lock_owner_of(holder, call)))
		return came;
	holder->asked.engine = session->engine;
	holder->asked.call = *call;
	job_submit(&holder->job, session->job_queue);
	/* Without a job queue the job has already run. */
	if (job_is_done(&holder->job)) {
		holder->known = holder->asked;
		came = true;
	}
	return came;
}

const struct call_held *call_lock_owner_of(const struct call_lock_owner *holder,
					   const struct call *call)
{
	return is_same(&holder->known.call, call) ? &holder->known : NULL;
}
