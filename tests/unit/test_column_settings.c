#include "tui/column_settings.h"

#include "tests/unit/recorded_desk.h"
#include "tests/unit/runner.h"

#include <errno.h>
#include <string.h>

#define RECORDING "tests/replay/contention.data"

static struct recorded_desk on;

static void set_up(void)
{
	recorded_desk_open(&on, RECORDING);
}

static void tear_down(void)
{
	recorded_desk_close(&on);
}

static void add_line(void *ctx, const char *name, const char *text)
{
	str_addf(ctx, "%s=%s\n", name, text);
}

static void assert_settings(const char *expected)
{
	struct str text = STR_INIT;

	column_settings_each(&on.desk, add_line, &text);
	ck_assert_str_eq(text.data, expected);
	str_release(&text);
}

START_TEST(each_table_keeps_its_own)
{
	struct err err;

	assert_settings("");
	ck_assert(!column_settings_set(&on.desk, "calls.calls", "call result -*", &err));
	ck_assert(!column_settings_set(&on.desk, "overview.calls", "-time", &err));
	ck_assert(!column_settings_set(&on.desk, "syscalls.users", "calls -*", &err));
	recorded_desk_settle(&on);
	ck_assert_int_ge(recorded_desk_row(&on, "TOOK COMM/TID"), 0);
	ck_assert_int_lt(recorded_desk_row(&on, "TIME"), 0);
	recorded_desk_press(&on, "4");
	ck_assert_int_ge(recorded_desk_row(&on, "RESULT"), 0);
	ck_assert_int_lt(recorded_desk_row(&on, "COMM/TID"), 0);
	/* Nothing else is as it was not. */
	ck_assert(!column_settings_set(&on.desk, "overview.calls", "", &err));
	ck_assert(!column_settings_set(&on.desk, "syscalls.users", "", &err));
	assert_settings("calls.calls=-time -took -who call result\n");
}
END_TEST

START_TEST(what_is_no_table_is_refused)
{
	struct err err;

	ck_assert_int_eq(column_settings_set(&on.desk, "overview.nothing", "pid", &err), -ENOENT);
	ck_assert_str_eq(err.text, "there is no table overview.nothing; one is "
				   "overview.processes");
	ck_assert_int_eq(column_settings_set(&on.desk, "overview.calls", "pid", &err), -EINVAL);
	assert_settings("");
}
END_TEST

START_TEST(a_list_chooses_moves_and_widens)
{
	recorded_desk_press(&on, "4");
	recorded_desk_press(&on, "D");
	ck_assert_int_ge(recorded_desk_row(&on, "Columns, from left to right"), 0);
	recorded_desk_press(&on, "Space"); /* the first: when it began */
	recorded_desk_press(&on, "Down");
	recorded_desk_press(&on, ">");
	recorded_desk_press(&on, "+");
	assert_settings("calls.calls=-time who took:9 call result\n");
	recorded_desk_press(&on, "Del");
	assert_settings("");
	recorded_desk_press(&on, "D");
	ck_assert_int_lt(recorded_desk_row(&on, "Columns, from left to right"), 0);
}
END_TEST

START_TEST(one_column_stays)
{
	struct err err;

	ck_assert(!column_settings_set(&on.desk, "calls.calls", "call -*", &err));
	recorded_desk_press(&on, "4");
	recorded_desk_press(&on, "D");
	recorded_desk_press(&on, "End");
	recorded_desk_press(&on, "Up"); /* what is called */
	recorded_desk_press(&on, "Enter");
	ck_assert_int_ge(recorded_desk_row(&on, "CALL"), 0);
	assert_settings("calls.calls=-time -took -who call -result\n");
}
END_TEST

START_TEST(a_drag_of_the_header_widens)
{
	struct input_event event = { .kind = EVENT_MOUSE,
		.mouse = { .action = MOUSE_PRESS, .button = 1 } };
	int row;

	recorded_desk_press(&on, "4");
	row = recorded_desk_row(&on, "TOOK COMM/TID");
	ck_assert_int_ge(row, 0);
	event.mouse.row = row;
	event.mouse.col = 12; /* behind the time */
	desk_event(&on.desk, &event);
	event.mouse.action = MOUSE_DRAG;
	event.mouse.col = 15;
	desk_event(&on.desk, &event);
	event.mouse.action = MOUSE_RELEASE;
	desk_event(&on.desk, &event);
	assert_settings("calls.calls=time:15 took who call result\n");
}
END_TEST

Suite *suite_column_settings(void);

Suite *suite_column_settings(void)
{
	Suite *suite = suite_create("column_settings");
	TCase *tcase = tcase_create("column_settings");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, each_table_keeps_its_own);
	tcase_add_test(tcase, what_is_no_table_is_refused);
	tcase_add_test(tcase, a_list_chooses_moves_and_widens);
	tcase_add_test(tcase, one_column_stays);
	tcase_add_test(tcase, a_drag_of_the_header_widens);
	suite_add_tcase(suite, tcase);
	return suite;
}
