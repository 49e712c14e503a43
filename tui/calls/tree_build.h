/*
 * tree_build - builds a call tree from many stacks, in steps.
 *
 * tree_build_begin() selects the heaviest stacks of finished and current waits. The caller takes
 * steps until the tree is finished. Lighter stacks, which no user would unfold, are omitted and
 * counted. UI thread only.
 */
#ifndef CALLS_TREE_BUILD_H
#define CALLS_TREE_BUILD_H

#include "engine/export/call_tree.h"
#include "tui/calls/blocked_stacks.h"

/* Measure that gives branches of the tree their weight. */
enum stack_weight {
	WEIGHT_TIME, /* blocked time, in ns */
	WEIGHT_CALLS,
	WEIGHT_ERRORS,
	WEIGHT_COUNT
};

struct tree_build {
	struct blocked_stack *stacks; /* stacks to add, heaviest first */
	size_t count, capacity;
	size_t added;
	enum stack_weight weight;
	enum session_halves halves;
	bool running;
	uint64_t total; /* weight of all stacks, including omitted ones */
	size_t left_out; /* number of omitted stacks */
};

void tree_build_init(struct tree_build *build);
void tree_build_release(struct tree_build *build);

/* Start a new tree; discards an unfinished one. */
void tree_build_begin(struct tree_build *build, const struct blocked_stacks *stacks,
		      const struct session *session, enum stack_weight weight);
/* Add stacks to `tree`, initially an empty one, until `until_ns`. True: the tree is finished. */
bool tree_build_step(struct tree_build *build, struct engine *engine, struct call_tree *tree,
		     uint64_t until_ns);
unsigned tree_build_percent(const struct tree_build *build);

/* Remove the frames of the hidden half in place; return the new count. */
size_t frames_select_halves(struct frame *frames, size_t count, enum session_halves halves);

#endif
