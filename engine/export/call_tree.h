/*
 * call_tree - many weighted stacks as one tree.
 *
 * Nodes are one frame under a path of frames. Two instruction pointers inside
 * one function are one node, which has the first note that either of them has.
 * Top-down starts with the innermost frame (what blocked), inverted with the
 * outermost (main). Rebuilt when names or weights change; node ids depend on the
 * path only, so that fold state and selection survive. One thread.
 */
#ifndef EXPORT_CALL_TREE_H
#define EXPORT_CALL_TREE_H

#include "engine/stack/symbols.h"

struct call_tree;

struct call_tree_node {
	uint64_t id; /* of the path */
	const struct frame *frame;
	uint64_t weight; /* of every stack through here: ns, calls or errors */
	uint64_t calls;
	uint32_t parent; /* index; UINT32_MAX at the top */
	uint32_t first_child, next_sibling; /* index or UINT32_MAX; heaviest first */
	uint32_t depth;
};

struct call_tree *call_tree_new(bool outermost_first);
void call_tree_free(struct call_tree *tree);
void call_tree_clear(struct call_tree *tree);
/*
 * How many frames at the inner end are the scheduler's own, and those of the way from it into who
 * traces it: __traceiter_sched_switch above __schedule, where there is more than one of them.
 * They say nothing of the program, and /proc/PID/stack does not tell them: without, a place where
 * threads wait is one place, however it was found.
 */
size_t call_tree_tracing_frames(const struct frame *frames, size_t count);

/* Frames are copied, without those; kernel frames may be left out by the caller. */
void call_tree_add(struct call_tree *tree, const struct frame *frames, size_t count,
		   uint64_t weight, uint64_t calls);
void call_tree_finish(struct call_tree *tree); /* sorts siblings */
uint32_t call_tree_first(const struct call_tree *tree); /* first root or UINT32_MAX */
const struct call_tree_node *call_tree_node(const struct call_tree *tree, uint32_t index);
uint64_t call_tree_weight(const struct call_tree *tree); /* of everything */

#endif
