/*
 * tree_build - makes a call tree of many stacks, a bit at a time.
 *
 * Begins with the heaviest stacks of what waited and of what waits now, as they are at that
 * moment; the caller takes steps until it is done. Stacks beyond those that a person
 * unfolds are left out and counted. UI thread only.
 */
#ifndef CALLS_TREE_BUILD_H
#define CALLS_TREE_BUILD_H

#include "engine/export/call_tree.h"
#include "tui/calls/blocked_stacks.h"

/* What makes a branch of the tree heavy. */
enum stack_weight {
	WEIGHT_TIME, /* blocked, in ns */
	WEIGHT_CALLS,
	WEIGHT_ERRORS,
	WEIGHT_COUNT
};

struct tree_build {
	struct blocked_stack *stacks; /* those to be added, the heaviest first */
	size_t count, capacity;
	size_t added;
	enum stack_weight weight;
	enum session_halves halves;
	bool running;
	uint64_t total; /* weight of everything, in the tree or not */
	size_t left_out; /* stacks */
};

void tree_build_init(struct tree_build *build);
void tree_build_release(struct tree_build *build);

/* Anew, whatever was begun before. */
void tree_build_begin(struct tree_build *build, const struct blocked_stacks *stacks,
		      const struct session *session, enum stack_weight weight);
/* Adds some stacks to an empty tree, or to that of the last step; true: it is finished. */
bool tree_build_step(struct tree_build *build, struct engine *engine, struct call_tree *tree,
		     uint64_t until_ns);
unsigned tree_build_percent(const struct tree_build *build);

/* Leaves out the frames that are not wanted; returns the new count. */
size_t frames_select_halves(struct frame *frames, size_t count, enum session_halves halves);

#endif
