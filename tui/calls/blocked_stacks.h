/*
 * blocked_stacks - where the calls of one subject waited: time per stack, from the history.
 *
 * Begins anew with every subject and goes through the history in bounded steps, newest
 * first, while it keeps up with what comes. Calls in flight are added when a tree is made of
 * it (tree_build.h), since their waits still grow. UI thread only.
 */
#ifndef CALLS_BLOCKED_STACKS_H
#define CALLS_BLOCKED_STACKS_H

#include "engine/base/idmap.h"
#include "tui/calls/history_scan.h"
#include "tui/session/session.h"

struct blocked_stack {
	uint32_t stack_id;
	uint64_t blocked_ns;
	uint64_t calls, errors;
};

struct blocked_stacks {
	struct engine *engine;
	struct selection subject;
	bool everything; /* not of a subject: of all calls that match the filter */
	bool has_subject; /* its calls that match are what the scan looks at */
	struct idmap by_id; /* stack id -> index + 1 as a pointer */
	struct blocked_stack *stacks;
	size_t count, capacity;
	uint64_t blocked_ns, calls;
	/* Of the latest waits: how many, and those that have no stack of their own. */
	unsigned recent, recent_earlier;
	struct history_scan scan;
};

void blocked_stacks_init(struct blocked_stacks *stacks);
void blocked_stacks_release(struct blocked_stacks *stacks);

/* Another subject, or the same one anew. */
void blocked_stacks_begin(struct blocked_stacks *stacks, const struct session *session,
			  const struct selection *subject);
/* The stacks of all calls that match the filter in force, anew. */
void blocked_stacks_begin_all(struct blocked_stacks *stacks, const struct session *session);
/* Whether two rows are the same subject. */
bool blocked_stacks_same(const struct selection *a, const struct selection *b);
/* True if more was found. */
bool blocked_stacks_step(struct blocked_stacks *stacks, struct engine *engine);
/* How much of the history has been looked at. */
unsigned blocked_stacks_percent(const struct blocked_stacks *stacks, struct engine *engine);
/* Of the latest waits so many hundredths show no stack, or that of an earlier wait. */
unsigned blocked_stacks_earlier_percent(const struct blocked_stacks *stacks);
/* Whether a call is one of the subject's. */
bool blocked_stacks_has(const struct blocked_stacks *stacks, const struct call *call);

#endif
