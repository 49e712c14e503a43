/*
 * tree - a table whose first column unfolds.
 *
 * The data comes from the caller through tree_ops. A node is identified by a 64-bit id, unique in
 * the tree and stable over time, so that folds and the selection survive new data. TREE_ROOT is the
 * invisible parent of the top level. The tree stores which nodes the user folded and unfolded;
 * open_by_default decides for the remaining nodes.
 *
 * Call tree_refresh() after the data has changed. The functions below use the rows of the last
 * refresh; tree_draw() reads the cells. Depth is bounded by TREE_MAX_DEPTH, rows by
 * TREE_MAX_ROWS; nodes beyond these bounds are not shown. UI thread only.
 */
#ifndef WIDGETS_TREE_H
#define WIDGETS_TREE_H

#include "engine/base/idmap.h"
#include "widgets/table.h"

#define TREE_ROOT 0ULL
#define TREE_MAX_DEPTH 512
#define TREE_MAX_ROWS 200000

struct tree_ops {
	size_t (*child_count)(void *data, uint64_t id);
	uint64_t (*child)(void *data, uint64_t id, size_t index); /* never TREE_ROOT */
	/* As in table_ops. The tree puts indentation and fold sign before the first column. */
	void (*cell)(void *data, uint64_t id, int column_id, struct table_cell *cell);
	bool (*open_by_default)(void *data, uint64_t id); /* NULL: folded */
	/*
	 * May be NULL. True for a link of a chain of only children. Its child is not indented
	 * further, and only the first link of the chain has a fold sign.
	 */
	bool (*flat)(void *data, uint64_t id);
};

struct tree_row {
	uint64_t id;
	uint64_t parent;
	uint32_t depth; /* number of ancestors; 0: top level */
	uint32_t indent; /* in units of two columns */
	bool has_children, open;
	bool linked; /* inside a chain: no fold sign while open */
};

struct tree {
	const struct tree_ops *ops;
	void *data;
	struct table table; /* sort mark, empty_text, match, follow: set directly */
	struct tree_row *rows; /* the visible nodes, top to bottom */
	size_t row_count, row_capacity;
	struct idmap folds; /* id -> open or folded, as chosen by the user */
	int tree_column; /* id of the column with fold signs: the first one */
};

void tree_init(struct tree *tree, const struct tree_ops *ops, void *data,
	       const struct table_column *columns, size_t column_count);
void tree_release(struct tree *tree);

void tree_refresh(struct tree *tree);
void tree_draw(struct tree *tree, struct canvas *canvas, bool focused);

/* Return the selected node, or NULL. Borrowed until the next call. */
const struct tree_row *tree_selected(const struct tree *tree);

void tree_move(struct tree *tree, enum move move); /* LEFT folds, RIGHT unfolds */
bool tree_unfold(struct tree *tree); /* one level; false: nothing to unfold */
bool tree_fold(struct tree *tree); /* if not open, select the parent; false: no parent */
bool tree_toggle(struct tree *tree);
void tree_unfold_entry(struct tree *tree); /* the whole subtree of the selected top-level entry */
void tree_unfold_all(struct tree *tree);
void tree_fold_all(struct tree *tree);
void tree_set_open(struct tree *tree, uint64_t id, bool open); /* shown at the next refresh */
void tree_forget(struct tree *tree); /* drops folds and selection: call before showing other data */

/* As table_click(); a click on a fold sign also folds or unfolds. */
struct table_hit tree_click(struct tree *tree, int row, int col);
bool tree_is_sign(struct tree *tree, int row, int col); /* true if a fold sign is there */
/* As table_search(), among the unfolded nodes. */
bool tree_search(struct tree *tree, const char *text, int step, bool from_here);

#endif
