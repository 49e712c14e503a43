#include "tui/shell/table_settings.h"

#include "tests/unit/recorded_shell.h"
#include "tests/unit/runner.h"
#include "tui/config/settings.h"

#include <errno.h>
#include <string.h>

#define RECORDING "tests/replay/contention.data"

static struct recorded_shell on;

static void set_up(void)
{
	recorded_shell_open(&on, RECORDING);
}

static void tear_down(void)
{
	recorded_shell_close(&on);
}

static int set_columns(const char *table, const char *text, struct err *err)
{
	struct str name = STR_INIT;
	int rc;

	str_addf(&name, SETTING_COLUMNS "%s", table);
	rc = table_settings_set(&on.shell, name.data, text, err);
	str_release(&name);
	return rc;
}

static void add_line(void *ctx, const char *name, const char *text)
{
	if (strncmp(name, SETTING_COLUMNS, strlen(SETTING_COLUMNS)))
		return;
	str_addf(ctx, "%s=%s\n", name, text);
}

static void assert_settings(const char *expected)
{
	struct str text = STR_INIT;

	table_settings_each(&on.shell, add_line, &text);
	ck_assert_str_eq(text.data, expected);
	str_release(&text);
}

START_TEST(each_table_has_its_own_columns)
{
	struct err err;

	assert_settings("");
	ck_assert(!set_columns("calls.calls", "call result -*", &err));
	ck_assert(!set_columns("overview.calls", "-time", &err));
	ck_assert(!set_columns("syscalls.users", "calls -*", &err));
	recorded_shell_settle(&on);
	ck_assert_int_ge(recorded_shell_row(&on, "TOOK COMM/TID"), 0);
	ck_assert_int_lt(recorded_shell_row(&on, "TIME"), 0);
	recorded_shell_press(&on, "4");
	ck_assert_int_ge(recorded_shell_row(&on, "RESULT"), 0);
	ck_assert_int_lt(recorded_shell_row(&on, "COMM/TID"), 0);
	/* Only tables that differ from the default are listed. */
	ck_assert(!set_columns("overview.calls", "", &err));
	ck_assert(!set_columns("syscalls.users", "", &err));
	assert_settings("columns.calls.calls=-time -took -who call result\n");
}
END_TEST

START_TEST(unknown_tables_are_refused)
{
	struct err err;

	ck_assert_int_eq(set_columns("overview.nothing", "pid", &err), -ENOENT);
	ck_assert_str_eq(err.text, "no table for columns.overview.nothing; one "
				   "is columns.overview.processes");
	ck_assert_int_eq(set_columns("overview.calls", "pid", &err), -EINVAL);
	assert_settings("");
}
END_TEST

static void add_sort(void *ctx, const char *name, const char *text)
{
	if (!strcmp(name, SETTING_SORT "syscalls.syscalls"))
		str_add(ctx, text);
}

START_TEST(sort_orders_are_set_and_listed)
{
	struct str text = STR_INIT;
	struct err err;

	table_settings_each(&on.shell, add_sort, &text);
	ck_assert_str_eq(text.data, "total down");
	ck_assert(
		!table_settings_set(&on.shell, SETTING_SORT "syscalls.syscalls", "calls up", &err));
	str_clear(&text);
	table_settings_each(&on.shell, add_sort, &text);
	ck_assert_str_eq(text.data, "calls up");
	recorded_shell_press(&on, "3");
	ck_assert_int_ge(recorded_shell_row(&on, "by calls ▲"), 0);
	str_release(&text);
}
END_TEST

static const struct {
	const char *name, *text;
	int rc;
} orders[] = {
	{ "sort.syscalls.syscalls", "calls", -EINVAL },
	{ "sort.syscalls.syscalls", "calls sideways", -EINVAL },
	{ "sort.syscalls.syscalls", "down", -EINVAL },
	{ "sort.syscalls.syscalls", "nothing down", -EINVAL },
	{ "sort.syscalls.nothing", "calls down", -ENOENT },
	{ "sort.calls.calls", "call down", -EINVAL }, /* the calls have one order only */
	{ "other.calls.calls", "call down", -ENOENT },
};

START_TEST(invalid_sort_orders_are_refused)
{
	struct str text = STR_INIT;
	struct err err = { .text = "" };

	ck_assert_int_eq(table_settings_set(&on.shell, orders[_i].name, orders[_i].text, &err),
			 orders[_i].rc);
	ck_assert_str_ne(err.text, "");
	table_settings_each(&on.shell, add_sort, &text);
	ck_assert_str_eq(text.data, "total down");
	str_release(&text);
}
END_TEST

START_TEST(a_list_hides_moves_and_widens_columns)
{
	recorded_shell_press(&on, "4");
	recorded_shell_press(&on, "D");
	ck_assert_int_ge(recorded_shell_row(&on, "Columns, from left to right"), 0);
	recorded_shell_press(&on, "Space"); /* the first column: start time */
	recorded_shell_press(&on, "Down");
	recorded_shell_press(&on, ">");
	recorded_shell_press(&on, "+");
	assert_settings("columns.calls.calls=-time who took:9 call result\n");
	recorded_shell_press(&on, "Del");
	assert_settings("");
	recorded_shell_press(&on, "Esc");
	ck_assert_int_lt(recorded_shell_row(&on, "Columns, from left to right"), 0);
}
END_TEST

START_TEST(one_column_stays)
{
	struct err err;

	ck_assert(!set_columns("calls.calls", "call -*", &err));
	recorded_shell_press(&on, "4");
	recorded_shell_press(&on, "D");
	recorded_shell_press(&on, "End");
	recorded_shell_press(&on, "Up"); /* call, the only shown column */
	recorded_shell_press(&on, "Enter");
	ck_assert_int_ge(recorded_shell_row(&on, "CALL"), 0);
	assert_settings("columns.calls.calls=-time -took -who call -result\n");
}
END_TEST

START_TEST(a_drag_of_the_header_widens_a_column)
{
	struct input_event event = { .kind = EVENT_MOUSE,
				     .mouse = { .action = MOUSE_PRESS, .button = 1 } };
	int row;

	recorded_shell_press(&on, "4");
	row = recorded_shell_row(&on, "TOOK COMM/TID");
	ck_assert_int_ge(row, 0);
	event.mouse.row = row;
	event.mouse.col = 12; /* border of the start time */
	shell_event(&on.shell, &event);
	event.mouse.action = MOUSE_DRAG;
	event.mouse.col = 15;
	shell_event(&on.shell, &event);
	event.mouse.action = MOUSE_RELEASE;
	shell_event(&on.shell, &event);
	assert_settings("columns.calls.calls=time:15 took who call result\n");
}
END_TEST

Suite *suite_table_settings(void);

Suite *suite_table_settings(void)
{
	Suite *suite = suite_create("table_settings");
	TCase *tcase = tcase_create("table_settings");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, each_table_has_its_own_columns);
	tcase_add_test(tcase, unknown_tables_are_refused);
	tcase_add_test(tcase, sort_orders_are_set_and_listed);
	tcase_add_loop_test(tcase, invalid_sort_orders_are_refused, 0,
			    sizeof(orders) / sizeof(orders[0]));
	tcase_add_test(tcase, a_list_hides_moves_and_widens_columns);
	tcase_add_test(tcase, one_column_stays);
	tcase_add_test(tcase, a_drag_of_the_header_widens_a_column);
	suite_add_tcase(suite, tcase);
	return suite;
}
