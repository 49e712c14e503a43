/* Tables of calls in flight, futexes and waits, on a recording whose threads hang. */
#include "tui/view/table_pane.h"

#include "tests/unit/recorded_shell.h"
#include "tests/unit/runner.h"

#include <string.h>

#define HELD "tests/replay/held.data"
#define CONTENTION "tests/replay/contention.data"

static struct recorded_shell on;

static void open_held(void)
{
	recorded_shell_open(&on, HELD);
}

static void open_contention(void)
{
	recorded_shell_open(&on, CONTENTION);
}

static void close_shell(void)
{
	recorded_shell_close(&on);
}

static const struct table *focused_table(void)
{
	struct pane *pane = view_focused(on.shell.shown);

	return pane->ops->table(pane->self);
}

START_TEST(calls_in_flight_are_sorted_by_keys)
{
	recorded_shell_press(&on, "5");
	ck_assert_int_lt(recorded_shell_row(&on, "holder/13000"),
			 recorded_shell_row(&on, "reader/13003"));
	recorded_shell_press(&on, "I"); /* the youngest first */
	ck_assert_int_gt(recorded_shell_row(&on, "holder/13000 "),
			 recorded_shell_row(&on, "reader/13003 "));
	recorded_shell_press(&on, ">"); /* by state */
	recorded_shell_press(&on, ">"); /* by COMM/TID */
	ck_assert_int_eq(recorded_shell_row(&on, "held/12969 "), 3);
}
END_TEST

START_TEST(a_header_sorts_and_a_second_click_reverses)
{
	recorded_shell_press(&on, "5");
	recorded_shell_click(&on, 2, 12); /* COMM/TID */
	ck_assert(!focused_table()->sort_descending);
	ck_assert_int_eq(recorded_shell_row(&on, "held/12969 "), 3);
	recorded_shell_click(&on, 2, 12);
	ck_assert(focused_table()->sort_descending);
	ck_assert_int_eq(recorded_shell_row(&on, "held/12969 "), 7);
}
END_TEST

START_TEST(the_selection_follows_its_row_when_the_order_changes)
{
	recorded_shell_press(&on, "5");
	recorded_shell_press(&on, "Down");
	ck_assert_int_ge(recorded_shell_row(&on, "Stack of waiter/13001"), 0);
	recorded_shell_press(&on, "I");
	recorded_shell_press(&on, ">");
	ck_assert_int_ge(recorded_shell_row(&on, "Stack of waiter/13001"), 0);
}
END_TEST

START_TEST(a_row_is_copied_with_tabs)
{
	recorded_shell_press(&on, "5");
	recorded_shell_press(&on, "y");
	ck_assert_int_eq(on.shell.request, REQUEST_COPY);
	ck_assert_ptr_nonnull(strstr(on.shell.copy.data, "\tholder/13000\t"));
	ck_assert_ptr_nonnull(strstr(on.shell.copy.data, "pause()"));
}
END_TEST

START_TEST(brackets_go_to_the_same_futex)
{
	recorded_shell_press(&on, "5");
	recorded_shell_press(&on, "]");
	ck_assert_int_ge(recorded_shell_row(&on, "no futex and no file descriptor"), 0);
	recorded_shell_press(&on, "Down");
	recorded_shell_press(&on, "]");
	ck_assert_int_ge(recorded_shell_row(&on, "Stack of waiter/13002"), 0);
	recorded_shell_press(&on, "]");
	ck_assert_int_ge(recorded_shell_row(&on, "No other call in flight below"), 0);
	recorded_shell_press(&on, "[");
	ck_assert_int_ge(recorded_shell_row(&on, "Stack of waiter/13001"), 0);
}
END_TEST

START_TEST(waits_in_progress_come_first_in_any_order)
{
	recorded_shell_press(&on, "6");
	recorded_shell_press(&on, "Enter");
	for (int i = 0; i < 8; i++) {
		recorded_shell_press(&on, i % 2 ? "I" : ">");
		ck_assert_int_ge(recorded_shell_row(&on, "2 now"), 0);
		ck_assert_ptr_nonnull(view_focused(on.shell.shown)->ops->sort_by);
	}
}
END_TEST

START_TEST(the_longest_wait_is_found_by_sorting)
{
	const struct table *table;
	struct table_cell cell = { .text = STR_INIT };

	recorded_shell_press(&on, "6");
	recorded_shell_press(&on, "Enter");
	recorded_shell_press(&on, ">"); /* TOOK */
	table = focused_table();
	ck_assert(table->sort_descending);
	table->ops->cell(table->data, 0, table->sort_column, &cell);
	ck_assert_str_eq(cell.text.data, "20.0ms");
	str_release(&cell.text);
}
END_TEST

START_TEST(a_search_selects_a_row)
{
	recorded_shell_press(&on, "5");
	recorded_shell_press(&on, "/");
	recorded_shell_type(&on, "READ(");
	recorded_shell_press(&on, "Enter");
	ck_assert_int_ge(recorded_shell_row(&on, "Stack of reader/13003"), 0);
	recorded_shell_press(&on, "/");
	recorded_shell_type(&on, "no such text");
	recorded_shell_press(&on, "Enter");
	ck_assert_int_ge(recorded_shell_row(&on, "Not found: no such text"), 0);
}
END_TEST

START_TEST(every_view_and_column_has_help)
{
	for (int i = 0; i < SHELL_VIEW_COUNT; i++) {
		struct view *view = &on.shell.views[i];

		ck_assert_msg(view->def->help && strlen(view->def->help) > 40, "%s",
			      view->def->title);
		ck_assert_int_gt(view->def->key_count, 2);
		for (int j = 0; j < view->pane_count; j++) {
			const struct pane *pane = &view->panes[j];
			const struct table *table;

			if (!pane->ops->table)
				continue;
			table = pane->ops->table(pane->self);
			for (size_t k = 0; k < table->column_count; k++)
				ck_assert_msg(table->columns[k].help, "%s: %s", view->def->title,
					      table->columns[k].title);
		}
	}
}
END_TEST

Suite *suite_table_pane(void);

Suite *suite_table_pane(void)
{
	Suite *suite = suite_create("table_pane");
	TCase *held = tcase_create("held");
	TCase *contention = tcase_create("contention");

	tcase_add_checked_fixture(held, open_held, close_shell);
	tcase_add_test(held, calls_in_flight_are_sorted_by_keys);
	tcase_add_test(held, a_header_sorts_and_a_second_click_reverses);
	tcase_add_test(held, the_selection_follows_its_row_when_the_order_changes);
	tcase_add_test(held, a_row_is_copied_with_tabs);
	tcase_add_test(held, brackets_go_to_the_same_futex);
	tcase_add_test(held, waits_in_progress_come_first_in_any_order);
	tcase_add_test(held, a_search_selects_a_row);
	tcase_add_test(held, every_view_and_column_has_help);
	tcase_set_timeout(held, 20);
	suite_add_tcase(suite, held);
	tcase_add_checked_fixture(contention, open_contention, close_shell);
	tcase_add_test(contention, the_longest_wait_is_found_by_sorting);
	tcase_set_timeout(contention, 20);
	suite_add_tcase(suite, contention);
	return suite;
}
