/*
 * stack_nodes - a call tree as the tree widget asks for it: children by id and index.
 *
 * Owns the call tree, and another one that is being made while the first is shown. Made anew
 * whenever weights or names changed; ids stay the same, so folds and the selection stay too.
 * UI thread only.
 */
#ifndef CALLS_STACK_NODES_H
#define CALLS_STACK_NODES_H

#include "engine/base/idmap.h"
#include "engine/export/call_tree.h"
#include "tui/session/session.h"
#include "widgets/tree.h"

enum stack_column {
	STACK_COLUMN_FRAME,
	STACK_COLUMN_TIME,
	STACK_COLUMN_CALLS,
	STACK_COLUMN_WHERE,
	STACK_COLUMN_COUNT
};

extern const struct table_column stack_columns[STACK_COLUMN_COUNT];
extern const struct tree_ops stack_tree_ops; /* data: struct stack_nodes */

struct stack_node {
	const struct call_tree_node *node;
	uint32_t parent; /* index, UINT32_MAX at the top */
	uint32_t first, count; /* children: they follow each other */
};

struct stack_nodes {
	struct call_tree *tree; /* what is shown */
	struct call_tree *next;
	struct stack_node *nodes; /* breadth first */
	size_t count, capacity;
	uint32_t top_count; /* of nodes without a parent: the first ones */
	struct idmap by_id; /* node id -> index + 1 as a pointer */
	bool addresses; /* show them */
	bool weightless; /* one call: no percentages */
	bool counts; /* weights are numbers, not nanoseconds */
	bool inverted; /* outermost frames first */
};

void stack_nodes_init(struct stack_nodes *nodes);
void stack_nodes_release(struct stack_nodes *nodes);

/* The next tree, empty: to be filled and finished by the caller, then shown. */
struct call_tree *stack_nodes_begin(struct stack_nodes *nodes);
void stack_nodes_show(struct stack_nodes *nodes);

/* NULL: there is no such node. Borrowed until the next tree is shown. */
const struct frame *stack_nodes_frame(const struct stack_nodes *nodes, uint64_t id);

/* Every node, folded or not, each before its children; the caller frees. NULL: there is none. */
const struct stack_node **stack_nodes_all(const struct stack_nodes *nodes);

/* Which end of stacks is at the top; empties both trees. */
void stack_nodes_set_inverted(struct stack_nodes *nodes, bool inverted);

/*
 * A frame's own text: symbol, address, or both; why there is no more, unless it is as of the one
 * before (NULL: there is none).
 */
void stack_frame_text(struct str *out, const struct frame *frame, const struct frame *before,
		      bool address);
/* Where it is: source line, else the file's name (or path). */
void stack_frame_where(struct str *out, const struct frame *frame, bool path);

#endif
