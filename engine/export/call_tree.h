/*
 * call_tree - merges weighted stacks into one tree.
 *
 * A node stands for a frame and the path of frames that leads to it. Frames at different addresses
 * of one function share a node, with the first of their notes. A top-down tree starts with the
 * innermost frame (where the thread blocked), an inverted tree with the outermost (main). The tree
 * is rebuilt when names or weights change. Node ids depend on the path only, so that fold state and
 * selection survive a rebuild. One thread.
 */
#ifndef EXPORT_CALL_TREE_H
#define EXPORT_CALL_TREE_H

#include "engine/stack/symbols.h"

struct call_tree;

struct call_tree_node {
	uint64_t id; /* hash of the path */
	const struct frame *frame;
	uint64_t weight; /* sum over all stacks through this node: ns, calls or errors */
	uint64_t calls;
	uint32_t parent; /* index; UINT32_MAX for a root */
	uint32_t first_child, next_sibling; /* index or UINT32_MAX; heaviest first */
	uint32_t depth;
};

struct call_tree *call_tree_new(bool outermost_first);
void call_tree_free(struct call_tree *tree);
void call_tree_clear(struct call_tree *tree);
/*
 * Return the number of innermost frames to omit: those of the scheduler, of which __schedule is the
 * first; 0 if the stack has only such frames. These frames say nothing about the program.
 * /proc/PID/stack omits them, too; without them, a place where threads wait is the same in both
 * sources.
 */
size_t call_tree_scheduler_frames(const struct frame *frames, size_t count);
/*
 * Add a copy of a stack without its scheduler frames. The caller may omit kernel frames. The
 * caller of a cut frame is a frame "[cut]", so that no cut frame is a root of an inverted tree.
 */
void call_tree_add(struct call_tree *tree, const struct frame *frames, size_t count,
		   uint64_t weight, uint64_t calls);
void call_tree_finish(struct call_tree *tree); /* sorts siblings */
uint32_t call_tree_first(const struct call_tree *tree); /* first root or UINT32_MAX */
const struct call_tree_node *call_tree_node(const struct call_tree *tree, uint32_t index);
uint64_t call_tree_weight(const struct call_tree *tree); /* sum over all stacks */

#endif
