#include "tui/panes/futex_owners.h"

#include <string.h>

/* Job thread. */
static void ask(void *ctx)
{
	struct futex_owners_asked *asked = ctx;
	struct call waiter;

	for (size_t i = 0; i < asked->count; i++) {
		asked->tids[i] = 0;
		if (engine_futex_waiters(asked->engine, &asked->rows[i], &waiter, 1))
			asked->tids[i] = engine_futex_owner(asked->engine, &waiter);
	}
}

void futex_owners_init(struct futex_owners *owners)
{
	memset(owners, 0, sizeof(*owners));
	owners->job = (struct job){ .run = ask, .ctx = &owners->asked };
}

void futex_owners_renew(struct futex_owners *owners)
{
	for (size_t i = 0; i < owners->count; i++)
		owners->owners[i].wanted = true;
}

static struct futex_owner *find(struct futex_owners *owners, uint64_t id)
{
	for (size_t i = 0; i < owners->count; i++)
		if (owners->owners[i].id == id)
			return &owners->owners[i];
	return NULL;
}

uint32_t futex_owners_known(const struct futex_owners *owners, const struct engine_futex *row)
{
	for (size_t i = 0; i < owners->count; i++)
		if (owners->owners[i].id == row->id)
			return row->waiters ? owners->owners[i].tid : 0;
	return 0;
}

uint32_t futex_owners_of(struct futex_owners *owners, const struct engine_futex *row)
{
	struct futex_owners_asked *asked = &owners->asked;
	struct futex_owner *owner = find(owners, row->id);

	if (!row->waiters)
		return 0;
	if (!owner) {
		/* Drop a full table: after long scrolling, most of its rows are out of sight. */
		if (owners->count == FUTEX_OWNERS_MAX)
			owners->count = 0;
		owner = &owners->owners[owners->count++];
		*owner = (struct futex_owner){ .id = row->id, .wanted = true };
	}
	if (owner->wanted && !job_is_pending(&owners->job) &&
	    owners->asked_count < FUTEX_OWNERS_AT_ONCE) {
		asked->rows[owners->asked_count++] = *row;
		owner->wanted = false;
	}
	return owner->tid;
}

static void take(struct futex_owners *owners)
{
	const struct futex_owners_asked *asked = &owners->asked;

	for (size_t i = 0; i < asked->count; i++) {
		struct futex_owner *owner = find(owners, asked->rows[i].id);

		if (owner)
			owner->tid = asked->tids[i];
	}
}

void futex_owners_look(struct futex_owners *owners, struct engine *engine,
		       struct job_queue *job_queue)
{
	if (job_is_done(&owners->job))
		take(owners);
	if (owners->asked_count && !job_is_pending(&owners->job)) {
		owners->asked.engine = engine;
		owners->asked.count = owners->asked_count;
		owners->asked_count = 0;
		job_submit(&owners->job, job_queue);
	}
	/* Without a job thread the result is already there. */
	if (job_is_done(&owners->job))
		take(owners);
}
