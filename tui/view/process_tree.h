/*
 * process_tree - rows of processes, optionally with their threads, as lines of a tree by parent.
 *
 * A folded process with child processes shows the sums of its subtree. Siblings are sorted by the
 * sums of their subtrees, threads before processes. A process whose parent is not among the rows is
 * a root. Folds survive a change of the rows: they are stored by id. UI thread only.
 */
#ifndef VIEW_PROCESS_TREE_H
#define VIEW_PROCESS_TREE_H

#include "engine/base/idmap.h"
#include "tui/view/totals_order.h"

struct process_line {
	const struct engine_row *row; /* the figures to show: `own`, or the sums of the subtree */
	const struct engine_row *own;
	uint64_t id; /* the same in every build */
	uint32_t below; /* number of processes and threads in the subtree */
	uint32_t depth;
	bool has_children, open, last; /* last: no later sibling */
	uint64_t guides; /* bit N: at depth N, a vertical line continues to a later sibling */
};

struct process_order {
	enum totals_column column;
	bool descending;
};

struct process_tree {
	struct process_line *lines; /* visible lines, top to bottom */
	size_t count, capacity;
	struct idmap folds; /* ids of folded lines */

	/* Private to process_tree.c. */
	struct process_node *nodes;
	size_t node_count, node_capacity;
	struct engine_row *totals; /* sums of nodes with child processes */
	size_t sum_count, sum_capacity;
	struct idmap by_pid;
	struct totals_order *ranks;
	size_t rank_capacity;
	uint32_t *order; /* node numbers, each after its parent */
	size_t order_capacity;
};

void process_tree_init(struct process_tree *tree);
void process_tree_release(struct process_tree *tree);

/* Build the lines. Rows are borrowed until the next build. threads may be NULL. */
void process_tree_build(struct process_tree *tree, const struct engine_row *processes, size_t count,
			const struct engine_row *threads, size_t thread_count,
			const struct process_order *order);

/* Fold or unfold the line; takes effect in the next build. */
void process_tree_fold(struct process_tree *tree, const struct process_line *line, bool folded);
/* Unfold the line and its whole subtree. */
void process_tree_unfold_entry(struct process_tree *tree, size_t line);
void process_tree_unfold_all(struct process_tree *tree);
/* Fold all roots that have children. */
void process_tree_fold_all(struct process_tree *tree);
/* Find the line of the parent of a visible line; false: the line is a root. */
bool process_tree_parent(const struct process_tree *tree, size_t line, size_t *parent);

/*
 * Append the guides before a name, such as "│ ├─ ". process_tree_sign_col() is the column of
 * the fold sign in that text.
 */
int process_tree_sign_col(const struct process_line *line);
void process_tree_add_guides(const struct process_line *line, struct str *out);

#endif
