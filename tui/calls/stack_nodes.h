/*
 * stack_nodes - adapts a call tree to the tree widget: children by id and index.
 *
 * Owns the call tree on the screen and the next tree, which the caller builds meanwhile. A tree is
 * rebuilt when weights or names change. Nodes keep their ids, so folds and the selection persist.
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
	uint32_t parent; /* index; UINT32_MAX at the top */
	uint32_t first, count; /* index and number of the children in .nodes */
};

struct stack_nodes {
	struct call_tree *tree; /* the tree on the screen */
	struct call_tree *next;
	struct stack_node *nodes; /* breadth first */
	size_t count, capacity;
	uint32_t top_count; /* number of nodes without a parent, which come first */
	struct idmap by_id; /* node id -> index + 1 as a pointer */
	bool addresses; /* show addresses */
	bool weightless; /* the tree of one stack: no percentages */
	bool counts; /* weights are counts, not nanoseconds */
	bool inverted; /* outermost frames first */
};

void stack_nodes_init(struct stack_nodes *nodes);
void stack_nodes_release(struct stack_nodes *nodes);

/* Return the next tree, empty. The caller fills and finishes it, then calls stack_nodes_show(). */
struct call_tree *stack_nodes_begin(struct stack_nodes *nodes);
void stack_nodes_show(struct stack_nodes *nodes);

/*
 * Return the frame of a node; NULL if the node does not exist. Borrowed until the next tree is
 * shown.
 */
const struct frame *stack_nodes_frame(const struct stack_nodes *nodes, uint64_t id);

/*
 * Return all nodes, folded or not, each before its children. The caller frees the array. NULL if
 * there are none.
 */
const struct stack_node **stack_nodes_all(const struct stack_nodes *nodes);

/* Select which end of the stacks is at the top. Empties both trees. */
void stack_nodes_set_inverted(struct stack_nodes *nodes, bool inverted);

/*
 * Append the text of a frame: symbol, address, or both, and the reason for missing frames. The
 * reason is omitted if it equals that of the frame `before` (NULL: none).
 */
void stack_frame_text(struct str *out, const struct frame *frame, const struct frame *before,
		      bool address);
/* Append the location: source line, if known, and DSO. path: whole paths; false: base names. */
void stack_frame_where(struct str *out, const struct frame *frame, bool path);

#endif
