#include "widgets/tree.h"

#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Values of .folds, stored as pointers; 0 would mean that the id is absent. */
enum fold { FOLD_OPEN = 1, FOLD_CLOSED };

/* ---- table rows ---- */

static size_t tree_row_count(void *data)
{
	return ((struct tree *)data)->row_count;
}

static uint64_t tree_row_id(void *data, size_t row)
{
	return ((struct tree *)data)->rows[row].id;
}

static void tree_cell(void *data, size_t row, int column_id, struct table_cell *cell)
{
	struct tree *tree = data;
	const struct tree_row *node = &tree->rows[row];

	if (column_id == tree->tree_column) {
		str_repeat(&cell->text, ' ', (size_t)node->indent * 2);
		str_add(&cell->text, !node->has_children || (node->open && node->linked) ? "  "
				     : node->open                                        ? "- "
											 : "+ ");
	}
	tree->ops->cell(tree->data, node->id, column_id, cell);
}

static const struct table_ops row_ops = {
	.row_count = tree_row_count,
	.row_id = tree_row_id,
	.cell = tree_cell,
};

void tree_init(struct tree *tree, const struct tree_ops *ops, void *data,
	       const struct table_column *columns, size_t column_count)
{
	*tree = (struct tree){ .ops = ops, .data = data, .tree_column = columns[0].id };
	idmap_init(&tree->folds);
	table_init(&tree->table, &row_ops, tree, columns, column_count);
}

void tree_release(struct tree *tree)
{
	free(tree->rows);
	idmap_release(&tree->folds);
	tree->rows = NULL;
	tree->row_count = tree->row_capacity = 0;
}

/* ---- visible nodes ---- */

static bool tree_is_open(const struct tree *tree, uint64_t id)
{
	uintptr_t fold = (uintptr_t)idmap_get(&tree->folds, id);

	if (fold)
		return fold == FOLD_OPEN;
	return tree->ops->open_by_default && tree->ops->open_by_default(tree->data, id);
}

void tree_set_open(struct tree *tree, uint64_t id, bool open)
{
	enum fold fold = open ? FOLD_OPEN : FOLD_CLOSED;

	idmap_put(&tree->folds, id, (void *)(uintptr_t)fold);
}

/* State of a walk at one level of the tree. */
struct level {
	uint64_t parent;
	size_t next, count;
	uint32_t indent;
	bool chain; /* parent is a link of a chain */
	bool unfold; /* unfold everything below */
};

/*
 * Append a row. True: walk its children, which are in *below. The walk uses its own stack instead
 * of recursion, since the depth comes from unchecked data.
 */
static bool add_row(struct tree *tree, struct level *level, uint32_t depth, uint64_t entry,
		    struct level *below)
{
	uint64_t id = tree->ops->child(tree->data, level->parent, level->next++);
	size_t children = depth + 1 < TREE_MAX_DEPTH ? tree->ops->child_count(tree->data, id) : 0;
	bool flat = tree->ops->flat && tree->ops->flat(tree->data, id);
	bool open = children && tree_is_open(tree, id);
	bool unfold = level->unfold || id == entry;

	if (unfold && children && !open) {
		tree_set_open(tree, id, true);
		open = true;
	}
	tree->rows = mem_grow(tree->rows, &tree->row_capacity, tree->row_count + 1,
			      sizeof(*tree->rows));
	tree->rows[tree->row_count++] = (struct tree_row){
		.id = id,
		.parent = level->parent,
		.depth = depth,
		.indent = level->indent,
		.has_children = children > 0,
		.open = open,
		.linked = level->chain && flat,
	};
	if (!open)
		return false;
	*below = (struct level){
		.parent = id,
		.count = children,
		.indent = level->indent + (flat ? 0 : 1),
		.chain = flat,
		.unfold = unfold,
	};
	return true;
}

/* Build the rows. `entry`: unfold its whole subtree on the way; `all`: unfold every node. */
static void walk(struct tree *tree, uint64_t entry, bool all)
{
	struct level stack[TREE_MAX_DEPTH];
	uint32_t depth = 0;

	tree->row_count = 0;
	stack[0] = (struct level){
		.parent = TREE_ROOT,
		.count = tree->ops->child_count(tree->data, TREE_ROOT),
		.unfold = all,
	};
	for (;;) {
		struct level *level = &stack[depth];

		if (level->next >= level->count || tree->row_count >= TREE_MAX_ROWS) {
			if (!depth)
				break;
			depth--;
		} else if (add_row(tree, level, depth, entry,
				   &stack[depth + 1 < TREE_MAX_DEPTH ? depth + 1 : depth])) {
			depth++;
		}
	}
	table_sync(&tree->table);
}

void tree_refresh(struct tree *tree)
{
	walk(tree, TREE_ROOT, false);
}

void tree_draw(struct tree *tree, struct canvas *canvas, bool focused)
{
	table_draw(&tree->table, canvas, focused);
}

/* ---- folding ---- */

const struct tree_row *tree_selected(const struct tree *tree)
{
	if (!tree->table.has_selection || tree->table.selected_row >= tree->row_count)
		return NULL;
	return &tree->rows[tree->table.selected_row];
}

/* Folding moves rows: pin the selected row as the user's choice. */
static void refold(struct tree *tree)
{
	tree->table.pinned = true;
	tree_refresh(tree);
}

bool tree_unfold(struct tree *tree)
{
	const struct tree_row *row = tree_selected(tree);

	if (!row || !row->has_children || row->open)
		return false;
	tree_set_open(tree, row->id, true);
	refold(tree);
	return true;
}

bool tree_fold(struct tree *tree)
{
	const struct tree_row *row = tree_selected(tree);

	if (!row)
		return false;
	if (row->open) {
		tree_set_open(tree, row->id, false);
		refold(tree);
		return true;
	}
	return row->parent != TREE_ROOT && table_select(&tree->table, row->parent);
}

bool tree_toggle(struct tree *tree)
{
	const struct tree_row *row = tree_selected(tree);

	if (!row || !row->has_children)
		return false;
	tree_set_open(tree, row->id, !row->open);
	refold(tree);
	return true;
}

void tree_unfold_entry(struct tree *tree)
{
	size_t at = tree->table.selected_row;

	if (!tree_selected(tree))
		return;
	while (at > 0 && tree->rows[at].depth)
		at--;
	tree->table.pinned = true;
	walk(tree, tree->rows[at].id, false);
}

void tree_unfold_all(struct tree *tree)
{
	tree->table.pinned = tree->table.has_selection;
	walk(tree, TREE_ROOT, true);
}

void tree_fold_all(struct tree *tree)
{
	size_t at = tree->table.selected_row;

	if (!tree_selected(tree))
		return;
	/* Select the top-level entry of the selected node. */
	while (at > 0 && tree->rows[at].depth)
		at--;
	table_select(&tree->table, tree->rows[at].id);
	for (size_t i = 0; i < tree->row_count; i++)
		if (tree->rows[i].open)
			tree_set_open(tree, tree->rows[i].id, false);
	refold(tree);
}

void tree_forget(struct tree *tree)
{
	idmap_clear(&tree->folds);
	table_deselect(&tree->table);
	tree_refresh(tree);
}

/* ---- keys and mouse ---- */

void tree_move(struct tree *tree, enum move move)
{
	if (move == MOVE_RIGHT) {
		/* An open node or a leaf has nothing to unfold: scroll sideways. */
		if (!tree_unfold(tree))
			table_move(&tree->table, move);
	} else if (move == MOVE_LEFT) {
		if (tree->table.left_cols > 0 || !tree_fold(tree))
			table_move(&tree->table, move);
	} else {
		table_move(&tree->table, move);
	}
}

static bool hits_sign(const struct tree *tree, const struct table_hit *hit)
{
	const struct tree_row *node;
	int sign;

	if (hit->kind != TABLE_HIT_ROW || hit->column_id != tree->tree_column)
		return false;
	node = &tree->rows[hit->row];
	sign = (int)node->indent * 2;
	return node->has_children && (hit->cell_col == sign || hit->cell_col == sign + 1);
}

bool tree_is_sign(struct tree *tree, int row, int col)
{
	struct table_hit hit = table_at(&tree->table, row, col);

	return hits_sign(tree, &hit);
}

struct table_hit tree_click(struct tree *tree, int row, int col)
{
	struct table_hit hit = table_click(&tree->table, row, col);

	if (hits_sign(tree, &hit))
		tree_toggle(tree);
	return hit;
}

bool tree_search(struct tree *tree, const char *text, int step, bool from_here)
{
	return table_search(&tree->table, text, step, from_here);
}
