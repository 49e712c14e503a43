/*
 * tree - a table whose first column unfolds.
 *
 * The caller's data answers through tree_ops; a node is known by a 64-bit id, unique in the
 * whole tree and the same for the same thing later, so that folds and the selection survive new
 * data. TREE_ROOT is the unseen parent of the top level. The tree keeps what the person
 * folded and unfolded; other nodes are as open_by_default says.
 *
 * Call tree_refresh when the data changed; draw and verbs work on the rows of the last refresh
 * and read cells at drawing. Depth is bounded by TREE_MAX_DEPTH, rows by TREE_MAX_ROWS; what lies
 * beyond is not shown. UI thread only.
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
	/* As in table_ops. Indentation and fold sign are put before the first column. */
	void (*cell)(void *data, uint64_t id, int column_id, struct table_cell *cell);
	bool (*open_by_default)(void *data, uint64_t id); /* NULL: folded */
	/*
	 * May be NULL. True for a link of a chain of only children: its child is not a step
	 * further right, and within the chain only the first link has a sign.
	 */
	bool (*flat)(void *data, uint64_t id);
};

struct tree_row {
	uint64_t id;
	uint64_t parent;
	uint32_t depth; /* 0: top level; number of ancestors */
	uint32_t indent; /* columns / 2 */
	bool has_children, open;
	bool linked; /* within a chain: no sign while open */
};

struct tree {
	const struct tree_ops *ops;
	void *data;
	struct table table; /* sort mark, empty_text, match, follow: set there */
	struct tree_row *rows; /* what is unfolded, top to bottom */
	size_t row_count, row_capacity;
	struct idmap folds; /* id -> open or folded, where the person said so */
	int tree_column; /* id of the column with signs: the first of columns */
};

void tree_init(struct tree *tree, const struct tree_ops *ops, void *data,
	       const struct table_column *columns, size_t column_count);
void tree_release(struct tree *tree);

void tree_refresh(struct tree *tree);
void tree_draw(struct tree *tree, struct canvas *canvas, bool focused);

/* The selected node, or NULL. Borrowed until the next call. */
const struct tree_row *tree_selected(const struct tree *tree);

void tree_move(struct tree *tree, enum move move); /* LEFT folds, RIGHT unfolds */
bool tree_unfold(struct tree *tree); /* one level; false: nothing to unfold */
bool tree_fold(struct tree *tree); /* or goes to the parent */
bool tree_toggle(struct tree *tree);
void tree_unfold_entry(struct tree *tree); /* the selected top-level entry, all of it */
void tree_unfold_all(struct tree *tree);
void tree_fold_all(struct tree *tree);
void tree_set_open(struct tree *tree, uint64_t id, bool open); /* shown at the next refresh */
void tree_forget(struct tree *tree); /* all folds and the selection: other data */

/* As table_click; a click on a fold sign folds or unfolds too. */
struct table_hit tree_click(struct tree *tree, int row, int col);
bool tree_is_sign(struct tree *tree, int row, int col); /* whether such a sign is there */
/* As table_search, in what is unfolded. */
bool tree_search(struct tree *tree, const char *text, int step, bool from_here);

#endif
