#include "widgets/tree.h"

#include "tests/unit/canvas_rows.h"
#include "tests/unit/runner.h"

#include <string.h>

/*
 * Ids are digit strings: 12 is the second child of 1. Three levels, three children each, unless the
 * tree is endless.
 */
static bool endless;
static size_t top_count;

static size_t child_count(void *data, uint64_t id)
{
	(void)data;
	if (id == TREE_ROOT)
		return top_count;
	if (endless)
		return 1;
	return id < 100 ? 3 : 0;
}

static uint64_t child(void *data, uint64_t id, size_t index)
{
	(void)data;
	return endless ? id + 1 : id * 10 + index + 1;
}

static void cell(void *data, uint64_t id, int column_id, struct table_cell *cell)
{
	(void)data;
	if (column_id == 0)
		str_addu(&cell->text, id);
	else
		str_addf(&cell->text, "%lu%%", (unsigned long)id % 7);
}

static bool only_first(void *data, uint64_t id)
{
	(void)data;
	return id == 1;
}

static const struct tree_ops ops = {
	.child_count = child_count,
	.child = child,
	.cell = cell,
};
static const struct tree_ops ops_first_open = {
	.child_count = child_count,
	.child = child,
	.cell = cell,
	.open_by_default = only_first,
};
static size_t only_child(void *data, uint64_t id)
{
	(void)data;
	return id == TREE_ROOT ? top_count : id < 100000;
}

static bool always(void *data, uint64_t id)
{
	(void)data;
	return id != TREE_ROOT;
}

static const struct tree_ops ops_chain = {
	.child_count = only_child,
	.child = child,
	.cell = cell,
	.flat = always,
};
static const struct tree_ops ops_flat = {
	.child_count = child_count,
	.child = child,
	.cell = cell,
	.flat = only_first,
};

static const struct table_column columns[] = {
	{ .id = 0, .title = "FRAME", .min_cols = 8, .flex = 1 },
	{ .id = 1, .title = "TIME", .min_cols = 4, .align = ALIGN_RIGHT },
};

static struct canvas canvas;
static struct tree tree;

static void use(const struct tree_ops *with)
{
	tree_release(&tree);
	tree_init(&tree, with, NULL, columns, 2);
	tree_refresh(&tree);
}

static void set_up(void)
{
	endless = false;
	top_count = 3;
	canvas_init(&canvas, 8, 16, false);
	tree_init(&tree, &ops, NULL, columns, 2);
	tree_refresh(&tree);
}

static void tear_down(void)
{
	tree_release(&tree);
	canvas_release(&canvas);
}

static void check(const char *expected)
{
	tree_draw(&tree, &canvas, true);
	assert_rows(&canvas, expected);
}

START_TEST(nodes_fold_and_unfold)
{
	check("FRAME       TIME\n+ 1           1%\n+ 2           2%\n+ 3           3%\n\n\n\n\n");
	ck_assert(tree_unfold(&tree));
	tree_move(&tree, MOVE_DOWN);
	tree_move(&tree, MOVE_RIGHT);
	check("FRAME       TIME\n- 1           1%\n  - 11        4%\n      111     6%\n"
	      "      112     0%\n      113     1%\n  + 12        5%\n  + 13        6%\n");
	ck_assert_uint_eq(tree_selected(&tree)->id, 11);
	ck_assert(!tree_unfold(&tree)); /* the node is open */
	tree_move(&tree, MOVE_DOWN);
	ck_assert(!tree_unfold(&tree)); /* a leaf */
	tree_move(&tree, MOVE_LEFT); /* a leaf: to the parent */
	ck_assert_uint_eq(tree_selected(&tree)->id, 11);
	ck_assert(tree_fold(&tree));
	ck_assert(tree_fold(&tree));
	ck_assert_uint_eq(tree_selected(&tree)->id, 1);
	ck_assert(tree_fold(&tree));
	ck_assert(!tree_fold(&tree)); /* no parent */
	check("FRAME       TIME\n+ 1           1%\n+ 2           2%\n+ 3           3%\n\n\n\n\n");
}
END_TEST

START_TEST(folds_survive_new_data)
{
	tree_unfold(&tree);
	tree_move(&tree, MOVE_DOWN);
	tree_unfold(&tree);
	top_count = 0;
	tree_refresh(&tree);
	ck_assert_ptr_null(tree_selected(&tree));
	ck_assert(!tree_unfold(&tree));
	tree_unfold_entry(&tree);
	tree_fold_all(&tree);
	top_count = 2;
	tree_refresh(&tree);
	ck_assert_uint_eq(tree.row_count, 2 + 3 + 3);
	ck_assert_uint_eq(tree_selected(&tree)->id, 11);
	tree_forget(&tree);
	ck_assert_uint_eq(tree.row_count, 2);
}
END_TEST

START_TEST(entries_and_the_whole_tree_unfold)
{
	tree_move(&tree, MOVE_DOWN);
	tree_unfold_entry(&tree);
	ck_assert_uint_eq(tree.row_count, 3 + 3 + 9);
	ck_assert_uint_eq(tree_selected(&tree)->id, 2);
	ck_assert(!tree.rows[0].open);
	tree_move(&tree, MOVE_DOWN);
	tree_move(&tree, MOVE_DOWN);
	ck_assert_uint_eq(tree_selected(&tree)->id, 211);
	tree_unfold_all(&tree);
	ck_assert_uint_eq(tree.row_count, 3 + 9 + 27);
	ck_assert_uint_eq(tree_selected(&tree)->id, 211);
	tree_fold_all(&tree);
	ck_assert_uint_eq(tree.row_count, 3);
	ck_assert_uint_eq(tree_selected(&tree)->id, 2);
	tree_unfold(&tree);
	ck_assert_uint_eq(tree.row_count, 3 + 3); /* inner nodes were folded too */
}
END_TEST

START_TEST(the_user_overrides_the_defaults)
{
	use(&ops_first_open);
	ck_assert_uint_eq(tree.row_count, 6);
	ck_assert(tree_fold(&tree));
	tree_refresh(&tree);
	ck_assert_uint_eq(tree.row_count, 3);
	tree_forget(&tree);
	ck_assert_uint_eq(tree.row_count, 6);
}
END_TEST

START_TEST(flat_nodes_do_not_indent)
{
	use(&ops_flat);
	tree_unfold(&tree);
	check("FRAME       TIME\n- 1           1%\n+ 11          4%\n+ 12          5%\n"
	      "+ 13          6%\n+ 2           2%\n+ 3           3%\n\n");
}
END_TEST

START_TEST(chains_have_one_sign)
{
	use(&ops_chain);
	tree_unfold_entry(&tree);
	tree_move(&tree, MOVE_DOWN);
	tree_set_open(&tree, 111, false);
	tree_refresh(&tree);
	check("FRAME       TIME\n- 1           1%\n  11          4%\n+ 111         6%\n"
	      "+ 2           2%\n+ 3           3%\n\n\n");
	ck_assert(tree_fold(&tree)); /* in the middle of a chain: folds from this node */
	check("FRAME       TIME\n- 1           1%\n+ 11          4%\n+ 2           2%\n"
	      "+ 3           3%\n\n\n\n");
}
END_TEST

START_TEST(clicks_on_the_sign_fold)
{
	tree_draw(&tree, &canvas, true);
	tree_click(&tree, 2, 5); /* the name: only selects */
	ck_assert_uint_eq(tree.row_count, 3);
	ck_assert_uint_eq(tree_selected(&tree)->id, 2);
	tree_click(&tree, 2, 0);
	ck_assert_uint_eq(tree.row_count, 6);
	tree_draw(&tree, &canvas, true);
	tree_click(&tree, 3, 0); /* left of the sign of a child */
	ck_assert_uint_eq(tree.row_count, 6);
	tree_click(&tree, 3, 2);
	ck_assert_uint_eq(tree.row_count, 9);
	tree_draw(&tree, &canvas, true);
	tree_click(&tree, 2, 1);
	ck_assert_uint_eq(tree.row_count, 3);
}
END_TEST

START_TEST(endless_trees_are_bounded)
{
	endless = true;
	top_count = 1;
	tree_refresh(&tree);
	tree_unfold_all(&tree);
	ck_assert_uint_eq(tree.row_count, TREE_MAX_DEPTH);
	ck_assert_uint_eq(tree.rows[TREE_MAX_DEPTH - 1].depth, TREE_MAX_DEPTH - 1);
	ck_assert(!tree.rows[TREE_MAX_DEPTH - 1].has_children);
	endless = false;
	top_count = TREE_MAX_ROWS + 10;
	tree_refresh(&tree);
	ck_assert_uint_eq(tree.row_count, TREE_MAX_ROWS);
}
END_TEST

START_TEST(search_covers_unfolded_rows)
{
	ck_assert(!tree_search(&tree, "21", 1, false));
	tree_move(&tree, MOVE_DOWN);
	tree_unfold(&tree);
	ck_assert(tree_search(&tree, "21", 1, false));
	ck_assert_uint_eq(tree_selected(&tree)->id, 21);
}
END_TEST

Suite *suite_tree(void);

Suite *suite_tree(void)
{
	Suite *suite = suite_create("tree");
	TCase *tcase = tcase_create("tree");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, nodes_fold_and_unfold);
	tcase_add_test(tcase, folds_survive_new_data);
	tcase_add_test(tcase, entries_and_the_whole_tree_unfold);
	tcase_add_test(tcase, the_user_overrides_the_defaults);
	tcase_add_test(tcase, flat_nodes_do_not_indent);
	tcase_add_test(tcase, chains_have_one_sign);
	tcase_add_test(tcase, clicks_on_the_sign_fold);
	tcase_add_test(tcase, endless_trees_are_bounded);
	tcase_add_test(tcase, search_covers_unfolded_rows);
	suite_add_tcase(suite, tcase);
	return suite;
}
