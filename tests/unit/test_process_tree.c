#include "tui/view/process_tree.h"

#include "tests/unit/runner.h"

#include <string.h>

static struct process_tree tree;

static void set_up(void)
{
	process_tree_init(&tree);
}

static void tear_down(void)
{
	process_tree_release(&tree);
}

#define ROW(number, parent, text, count, ...) \
	{ \
		.pid = (number), .parent_pid = (parent), .name = text, .calls = (count), \
		.total_ns = (count)*1000ULL, .max_ns = (count), __VA_ARGS__ \
	}

/* init ─ sshd ─ bash ─ make ─ cc1, cc1; init ─ cron; one with an unknown parent. */
static const struct engine_row rows[] = {
	ROW(1, 0, "init", 1, .errors = 1),
	ROW(10, 1, "sshd", 5),
	ROW(20, 10, "bash", 7, .bare = false),
	ROW(30, 20, "make", 11, .in_flight = 1, .oldest_ns = 50),
	ROW(41, 30, "cc1", 300, .min_ns = 4, .histogram = { 250, 50 }),
	ROW(40, 30, "cc1", 400, .min_ns = 3, .histogram = { 0, 100, 300 }),
	ROW(50, 1, "cron", 90),
	ROW(60, 59, "orphan", 2),
};

static const struct engine_row threads[] = {
	{ .pid = 50, .tid = 50, .name = "cron", .calls = 90 },
	{ .pid = 40, .tid = 40, .name = "cc1", .calls = 100 },
	{ .pid = 40, .tid = 45, .name = "worker", .calls = 290 },
	{ .pid = 40, .tid = 0, .name = "(ended threads)", .calls = 10 },
	{ .pid = 77, .tid = 77, .name = "nobody's", .calls = 1 },
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void build(enum totals_column column, bool descending, bool with_threads)
{
	const struct process_order order = { column, descending };

	process_tree_build(&tree, rows, COUNT(rows), with_threads ? threads : NULL, COUNT(threads),
			   &order);
}

static void assert_lines(const char *expected)
{
	struct str text = STR_INIT;

	for (size_t i = 0; i < tree.count; i++) {
		process_tree_add_guides(&tree.lines[i], &text);
		str_addf(&text, "%s %llu\n", tree.lines[i].row->name,
			 (unsigned long long)tree.lines[i].row->calls);
	}
	ck_assert_str_eq(text.data, expected);
	str_release(&text);
}

static const struct process_line *line_of(const char *name)
{
	for (size_t i = 0; i < tree.count; i++)
		if (!strcmp(tree.lines[i].own->name, name))
			return &tree.lines[i];
	ck_abort_msg("no line of %s", name);
	return NULL;
}

START_TEST(children_stand_below_their_parents_the_heaviest_first)
{
	build(TOTALS_CALLS, true, false);
	assert_lines("- init 1\n"
		     "├─ sshd 5\n"
		     "│ └─ bash 7\n"
		     "│   └─ make 11\n"
		     "│     ├─ cc1 400\n"
		     "│     └─ cc1 300\n"
		     "└─ cron 90\n"
		     "  orphan 2\n");
	build(TOTALS_CALLS, false, false);
	assert_lines("  orphan 2\n"
		     "- init 1\n"
		     "├─ cron 90\n"
		     "└─ sshd 5\n"
		     "  └─ bash 7\n"
		     "    └─ make 11\n"
		     "      ├─ cc1 300\n"
		     "      └─ cc1 400\n");
	build(TOTALS_NAME, false, false);
	ck_assert_str_eq(tree.lines[1].own->name, "cron");
}
END_TEST

START_TEST(a_folded_entry_has_the_sums_of_its_subtree)
{
	const struct engine_row *sum;

	build(TOTALS_CALLS, true, false);
	process_tree_fold(&tree, line_of("sshd"), true);
	build(TOTALS_CALLS, true, false);
	assert_lines("- init 1\n"
		     "├+ sshd 723\n"
		     "└─ cron 90\n"
		     "  orphan 2\n");
	sum = line_of("sshd")->row;
	ck_assert_uint_eq(line_of("sshd")->below, 4);
	ck_assert_uint_eq(sum->pid, 10);
	ck_assert_uint_eq(sum->total_ns, 723000);
	ck_assert_uint_eq(sum->max_ns, 400);
	ck_assert_uint_eq(sum->min_ns, 3);
	ck_assert_uint_eq(sum->in_flight, 1);
	ck_assert_uint_eq(sum->oldest_ns, 50);
	ck_assert_uint_eq(sum->histogram[1], 150);
	/* The median is in the bucket of the middle call, but at most the longest duration. */
	ck_assert_uint_eq(sum->p50_ns, 400);
	process_tree_fold(&tree, line_of("sshd"), false);
	process_tree_fold_all(&tree);
	build(TOTALS_CALLS, true, false);
	assert_lines("+ init 814\n  orphan 2\n");
	ck_assert_uint_eq(line_of("init")->row->errors, 1);
	process_tree_unfold_all(&tree);
	build(TOTALS_CALLS, true, false);
	ck_assert_uint_eq(tree.count, COUNT(rows));
}
END_TEST

START_TEST(an_entry_unfolds_with_its_whole_subtree)
{
	build(TOTALS_CALLS, true, false);
	process_tree_fold(&tree, line_of("make"), true);
	process_tree_fold(&tree, line_of("bash"), true);
	process_tree_fold(&tree, line_of("sshd"), true);
	process_tree_fold(&tree, line_of("init"), true);
	process_tree_fold(&tree, line_of("init"), false);
	build(TOTALS_CALLS, true, false);
	process_tree_unfold_entry(&tree, (size_t)(line_of("sshd") - tree.lines));
	build(TOTALS_CALLS, true, false);
	ck_assert_uint_eq(tree.count, COUNT(rows));
}
END_TEST

START_TEST(threads_come_before_children_and_count_once)
{
	size_t parent;

	build(TOTALS_CALLS, true, true);
	assert_lines("- init 1\n"
		     "├─ sshd 5\n"
		     "│ └─ bash 7\n"
		     "│   └─ make 11\n"
		     "│     ├─ cc1 400\n"
		     "│     │ ├─ worker 290\n"
		     "│     │ ├─ cc1 100\n"
		     "│     │ └─ (ended threads) 10\n"
		     "│     └─ cc1 300\n"
		     "└─ cron 90\n"
		     "  orphan 2\n");
	ck_assert(process_tree_parent(&tree, 5, &parent));
	ck_assert_uint_eq(parent, 4);
	ck_assert(process_tree_parent(&tree, 9, &parent));
	ck_assert_uint_eq(parent, 0);
	ck_assert(!process_tree_parent(&tree, 0, &parent));
	ck_assert_int_eq(process_tree_sign_col(&tree.lines[0]), 0);
	ck_assert_int_eq(process_tree_sign_col(&tree.lines[5]), 8);
	/* All ids differ, also for threads whose tid is the pid. */
	for (size_t i = 0; i < tree.count; i++)
		for (size_t j = 0; j < i; j++)
			ck_assert(tree.lines[i].id != tree.lines[j].id);
	process_tree_fold_all(&tree);
	build(TOTALS_CALLS, true, true);
	ck_assert_uint_eq(tree.lines[0].row->calls, 814);
	ck_assert_uint_eq(tree.lines[0].below, 9);
}
END_TEST

/* Pids are reused: a former child can be the ancestor of its parent. */
START_TEST(cycles_are_cut)
{
	static const struct engine_row circle[] = {
		ROW(1, 3, "a", 1), ROW(2, 1, "b", 2), ROW(3, 2, "c", 3),
		ROW(4, 4, "d", 4), ROW(5, 3, "e", 5),
	};
	const struct process_order order = { TOTALS_ID, false };

	process_tree_build(&tree, circle, COUNT(circle), NULL, 0, &order);
	ck_assert_uint_eq(tree.count, COUNT(circle));
	process_tree_build(&tree, NULL, 0, NULL, 0, &order);
	ck_assert_uint_eq(tree.count, 0);
}
END_TEST

#define CHAIN 3000

START_TEST(the_deepest_tree_is_drawn_and_summed)
{
	static struct engine_row chain[CHAIN];
	const struct process_order order = { TOTALS_CALLS, true };
	struct str text = STR_INIT;

	for (uint32_t i = 0; i < CHAIN; i++)
		chain[i] = (struct engine_row){ .pid = i + 1, .parent_pid = i, .calls = 1 };
	process_tree_build(&tree, chain, CHAIN, NULL, 0, &order);
	ck_assert_uint_eq(tree.count, CHAIN);
	process_tree_add_guides(&tree.lines[CHAIN - 1], &text);
	ck_assert_uint_lt(text.len, 100);
	str_release(&text);
	process_tree_fold_all(&tree);
	process_tree_build(&tree, chain, CHAIN, NULL, 0, &order);
	ck_assert_uint_eq(tree.count, 1);
	ck_assert_uint_eq(tree.lines[0].row->calls, CHAIN);
}
END_TEST

Suite *suite_process_tree(void);

Suite *suite_process_tree(void)
{
	Suite *suite = suite_create("process_tree");
	TCase *tcase = tcase_create("process_tree");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, children_stand_below_their_parents_the_heaviest_first);
	tcase_add_test(tcase, a_folded_entry_has_the_sums_of_its_subtree);
	tcase_add_test(tcase, an_entry_unfolds_with_its_whole_subtree);
	tcase_add_test(tcase, threads_come_before_children_and_count_once);
	tcase_add_test(tcase, cycles_are_cut);
	tcase_add_test(tcase, the_deepest_tree_is_drawn_and_summed);
	suite_add_tcase(suite, tcase);
	return suite;
}
