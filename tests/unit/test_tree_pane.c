/* Trees of stacks on recordings: folding, halves, weights, ends, texts. */
#include "tui/view/tree_pane.h"

#include "tests/unit/recorded_shell.h"
#include "tests/unit/runner.h"

#include <string.h>

static struct recorded_shell on;

static void setup(void)
{
	recorded_shell_open(&on, "tests/replay/contention.data");
	recorded_shell_press(&on, "8");
}

static void teardown(void)
{
	recorded_shell_close(&on);
}

static struct tree_pane *pane(void)
{
	return view_focused(on.shell.shown)->self;
}

static size_t rows(void)
{
	return pane()->tree.row_count;
}

START_TEST(the_whole_tree_is_unfolded_and_folded)
{
	size_t all;

	recorded_shell_press(&on, "E");
	all = rows();
	ck_assert_uint_eq(all, pane()->nodes.count);
	recorded_shell_press(&on, "C");
	ck_assert_uint_eq(rows(), 1);
	recorded_shell_press(&on, "e"); /* the tree has one entry */
	ck_assert_uint_eq(rows(), all);
	recorded_shell_press(&on, "Home");
	recorded_shell_press(&on, "-");
	ck_assert_uint_eq(rows(), 1);
	recorded_shell_press(&on, "Right");
	ck_assert_uint_eq(rows(), all); /* folds below are unchanged */
	recorded_shell_press(&on, "Left");
	ck_assert_uint_eq(rows(), 1);
	recorded_shell_press(&on, "+");
	recorded_shell_press(&on, "Enter");
	ck_assert_uint_eq(rows(), 1);
}
END_TEST

START_TEST(a_click_on_a_sign_folds)
{
	int row = recorded_shell_row(&on, "- 100%");

	recorded_shell_click(&on, row, 0);
	ck_assert_uint_eq(rows(), 1);
	recorded_shell_click(&on, row, 20); /* beside the sign: selects the row */
	ck_assert_uint_eq(rows(), 1);
	recorded_shell_click(&on, row, 0);
	ck_assert_uint_gt(rows(), 1);
}
END_TEST

START_TEST(weights_cycle_by_key_and_header)
{
	recorded_shell_press(&on, "x");
	ck_assert_int_ge(recorded_shell_row(&on, "119 calls that waited"), 0);
	recorded_shell_press(&on, "x");
	ck_assert_int_ge(recorded_shell_row(&on, "0 failed calls that waited"), 0);
	ck_assert_int_ge(recorded_shell_row(&on, "no call that waited has failed"), 0);
	recorded_shell_press(&on, "x");
	ck_assert_int_ge(recorded_shell_row(&on, "blocked 1.62s"), 0);
	recorded_shell_click(&on, 2, 70); /* CALLS */
	ck_assert_int_ge(recorded_shell_row(&on, "119 calls that waited"), 0);
}
END_TEST

START_TEST(either_end_of_stacks_is_on_top)
{
	uint64_t weight = call_tree_weight(pane()->nodes.tree);

	recorded_shell_press(&on, "i");
	ck_assert_int_ge(recorded_shell_row(&on, "from main to wait"), 0);
	ck_assert_uint_eq(call_tree_weight(pane()->nodes.tree), weight);
	recorded_shell_press(&on, "i");
	ck_assert_int_ge(recorded_shell_row(&on, "from wait to main"), 0);
}
END_TEST

START_TEST(halves_and_addresses_are_shown_on_request)
{
	/* Wait for the symbols: pending files are named in the title. */
	while (!engine_symbols_settle(on.engine, 1000))
		;
	recorded_shell_press(&on, "E");
	ck_assert_int_ge(recorded_shell_row(&on, "[kernel]"), 0);
	ck_assert_int_ge(recorded_shell_row(&on, "libc.so.6"), 0);
	recorded_shell_press(&on, "K");
	ck_assert_int_ge(recorded_shell_row(&on, "kernel frames only"), 0);
	ck_assert_int_lt(recorded_shell_row(&on, "libc.so.6"), 0);
	recorded_shell_press(&on, "K");
	ck_assert_int_ge(recorded_shell_row(&on, "user frames only"), 0);
	ck_assert_int_lt(recorded_shell_row(&on, "[kernel]"), 0);
	recorded_shell_press(&on, "V");
	ck_assert_int_ge(recorded_shell_row(&on, "/usr/lib/x86_64-linux-gnu/libc.so.6"), 0);
	recorded_shell_press(&on, "K");
	recorded_shell_press(&on, "V");
	ck_assert_int_ge(recorded_shell_row(&on, "[kernel]"), 0);
}
END_TEST

START_TEST(another_filter_rebuilds_the_tree)
{
	recorded_shell_press(&on, "\\");
	recorded_shell_type(&on, "syscall == futex");
	recorded_shell_press(&on, "Enter");
	ck_assert_int_ge(recorded_shell_row(&on, "blocked 734ms"), 0);
	recorded_shell_press(&on, "\\");
	recorded_shell_press(&on, "Ctrl-U");
	recorded_shell_type(&on, "pid == 1");
	recorded_shell_press(&on, "Enter");
	ck_assert_int_ge(recorded_shell_row(&on, "no call that waited matches pid == 1"), 0);
	recorded_shell_press(&on, "Del");
	ck_assert_int_ge(recorded_shell_row(&on, "blocked 1.62s"), 0);
}
END_TEST

START_TEST(a_single_stack_has_no_weight_columns)
{
	recorded_shell_press(&on, "6");
	recorded_shell_press(&on, "Enter");
	recorded_shell_press(&on, "Enter");
	ck_assert(pane()->nodes.weightless);
	ck_assert(pane()->columns[STACK_COLUMN_TIME].hidden);
	ck_assert(pane()->columns[STACK_COLUMN_CALLS].hidden);
	ck_assert_uint_gt(rows(), 5);
}
END_TEST

/* It is shown in its own line, since the title can have no room. */
START_TEST(an_exceeded_budget_is_shown)
{
	struct session *session = &on.shell.session;

	session->status.source.budget_hit = true;
	session->status.source.stack_bytes_per_s = 64 << 20;
	ck_assert_int_eq(recorded_shell_row(&on, "stacks beyond the byte budget"), 2);
	session->status.source.budget_hit = false;
	session->status.source.stacks_lost = 7;
	ck_assert_int_eq(recorded_shell_row(&on, "7 stacks to unwind were lost"), 2);
	session->status.source.stacks_lost = 0;
	ck_assert_int_lt(recorded_shell_row(&on, "lost 7"), 0);
}
END_TEST

Suite *suite_tree_pane(void);

Suite *suite_tree_pane(void)
{
	Suite *suite = suite_create("tree_pane");
	TCase *stacks = tcase_create("stacks");

	tcase_add_checked_fixture(stacks, setup, teardown);
	tcase_add_test(stacks, the_whole_tree_is_unfolded_and_folded);
	tcase_add_test(stacks, a_click_on_a_sign_folds);
	tcase_add_test(stacks, weights_cycle_by_key_and_header);
	tcase_add_test(stacks, either_end_of_stacks_is_on_top);
	tcase_add_test(stacks, halves_and_addresses_are_shown_on_request);
	tcase_add_test(stacks, another_filter_rebuilds_the_tree);
	tcase_add_test(stacks, a_single_stack_has_no_weight_columns);
	tcase_add_test(stacks, an_exceeded_budget_is_shown);
	tcase_set_timeout(stacks, 20);
	suite_add_tcase(suite, stacks);
	return suite;
}
