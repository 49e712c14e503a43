/*
 * blocked_stacks - where the calls of one subject waited: time per stack, from the history.
 *
 * Begins anew with every subject and goes through the history in bounded steps, newest
 * first, while it keeps up with what comes; step() is called once a turn of the loop.
 * Calls in flight are added when the tree is made, since their waits still
 * grow. UI thread only.
 */
#ifndef TUI_BLOCKED_STACKS_H
#define TUI_BLOCKED_STACKS_H

#include "engine/base/idmap.h"
#include "engine/stack/call_tree.h"
#include "tui/session.h"

struct blocked_stack {
	uint32_t stack_id;
	uint64_t blocked_ns;
	uint64_t calls, errors;
};

/* What makes a branch of the tree heavy. */
enum stack_weight {
	WEIGHT_TIME, /* blocked, in ns */
	WEIGHT_CALLS,
	WEIGHT_ERRORS,
	WEIGHT_COUNT
};

struct blocked_stacks {
	struct pick subject;
	bool everything;       /* not of a subject: of all calls that match the filter */
	struct filter *filter; /* the subject's calls that match; NULL: no subject */
	struct idmap by_id;    /* stack id -> index + 1 as a pointer */
	struct blocked_stack *stacks;
	size_t count, capacity;
	uint64_t blocked_ns, calls;
	uint64_t older_seq, newer_seq; /* what lies between has been looked at */
	bool skipped; /* more came than could be looked at */
	bool complete; /* the whole history has been looked at */
};

void blocked_stacks_init(struct blocked_stacks *stacks);
void blocked_stacks_release(struct blocked_stacks *stacks);

/* Another subject, or the same one anew. */
void blocked_stacks_begin(struct blocked_stacks *stacks, const struct session *session,
			  const struct pick *subject);
/* The stacks of all calls that match the filter in force, anew. */
void blocked_stacks_begin_all(struct blocked_stacks *stacks, const struct session *session);
/* Whether two rows are the same subject. */
bool blocked_stacks_same(const struct pick *a, const struct pick *b);
/* True if more was found. */
bool blocked_stacks_step(struct blocked_stacks *stacks, struct engine *engine);
/*
 * The tree of frames, with calls in flight. Kernel or user frames may be left out.
 * Returns the weight of everything, in it or not: only the heaviest stacks are in it, those
 * that can be added in some milliseconds; *left_out (may be NULL) is how many are not.
 */
uint64_t blocked_stacks_tree(const struct blocked_stacks *stacks,
			     const struct session *session, enum stack_weight weight,
			     struct call_tree *tree, size_t *left_out);

/* Leaves out what session->halves does not want; returns the new count. */
size_t frames_keep_halves(struct frame *frames, size_t count, enum session_halves halves);

#endif
