/*
 * process_tree - rows of processes, and of their threads where they are wanted, as lines of a tree
 * by parent.
 *
 * Who has children shows their sums too while it is folded; children are in the order of the sums
 * of all below them, threads before processes. A process whose parent is not among the rows stands
 * at the left. What was folded stays so when the rows are others. UI thread only.
 */
#ifndef VIEW_PROCESS_TREE_H
#define VIEW_PROCESS_TREE_H

#include "engine/base/idmap.h"
#include "tui/view/totals_order.h"

struct process_line {
	const struct engine_row *row; /* what it shows: its own sums, or those of all below */
	const struct engine_row *own;
	uint64_t id; /* stays with it */
	uint32_t below; /* processes and threads */
	uint32_t depth;
	bool has_children, open, last; /* last: of its siblings */
	uint64_t guides; /* bit by depth: a line goes on there to a later sibling */
};

struct process_order {
	enum totals_column column;
	bool descending;
};

struct process_tree {
	struct process_line *lines; /* what is to be seen, top to bottom */
	size_t count, capacity;
	struct idmap folds; /* by id: those that are folded */

	/* For process_tree.c only. */
	struct process_node *nodes;
	size_t node_count, node_capacity;
	struct engine_row *totals; /* of nodes with processes below */
	size_t sum_count, sum_capacity;
	struct idmap by_pid;
	struct totals_order *ranks;
	size_t rank_capacity;
	uint32_t *order; /* each node after its parent */
	size_t order_capacity;
};

void process_tree_init(struct process_tree *tree);
void process_tree_release(struct process_tree *tree);

/* Rows are borrowed, until they are others. threads may be NULL. */
void process_tree_build(struct process_tree *tree, const struct engine_row *processes, size_t count,
			const struct engine_row *threads, size_t thread_count,
			const struct process_order *order);

/* Shown by the next build. */
void process_tree_fold(struct process_tree *tree, const struct process_line *line, bool folded);
/* All that is below the line as well. */
void process_tree_unfold_entry(struct process_tree *tree, size_t line);
void process_tree_unfold_all(struct process_tree *tree);
/* Everything at the left that has children. */
void process_tree_fold_all(struct process_tree *tree);
/* Of a line that is seen; false: it is at the left. */
bool process_tree_parent(const struct process_tree *tree, size_t line, size_t *parent);

/* "│ ├─ " in front of a name, appended; the sign that folds begins in that column of it. */
int process_tree_sign_col(const struct process_line *line);
void process_tree_add_guides(const struct process_line *line, struct str *out);

#endif
