/*
 * blocked_stacks - blocked time per stack for the calls of one subject, from the history.
 *
 * Each subject starts a new scan of the history. The scan takes bounded steps, newest call first,
 * and includes calls that finish meanwhile. tree_build.h adds calls in flight when it builds a
 * tree, because their waits still grow. UI thread only.
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
	bool everything; /* all calls that match the filter, not only those of a subject */
	bool has_subject; /* false: the subject is empty, so no scan was begun */
	struct idmap by_id; /* stack id -> index + 1 as a pointer */
	struct blocked_stack *stacks;
	size_t count, capacity;
	uint64_t blocked_ns, calls;
	/* Number of recent waits, and how many of them have no stack of their own. */
	unsigned recent, recent_earlier;
	struct history_scan scan;
};

void blocked_stacks_init(struct blocked_stacks *stacks);
void blocked_stacks_release(struct blocked_stacks *stacks);

/* Start a scan for a new subject, or restart it for the same one. */
void blocked_stacks_begin(struct blocked_stacks *stacks, const struct session *session,
			  const struct selection *subject);
/* Start a scan of all calls that match the filter in force. */
void blocked_stacks_begin_all(struct blocked_stacks *stacks, const struct session *session);
/* True if both selections are the same subject. */
bool blocked_stacks_same(const struct selection *a, const struct selection *b);
/* Take one step. True if new stacks or calls were added. */
bool blocked_stacks_step(struct blocked_stacks *stacks, struct engine *engine);
/* Return the scanned share of the history, in percent. */
unsigned blocked_stacks_percent(const struct blocked_stacks *stacks, struct engine *engine);
/* Return the percentage of recent waits that show no stack, or the stack of an earlier wait. */
unsigned blocked_stacks_earlier_percent(const struct blocked_stacks *stacks);
/* True if the call belongs to the subject. */
bool blocked_stacks_has(const struct blocked_stacks *stacks, const struct call *call);

#endif
