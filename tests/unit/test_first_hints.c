#include "tui/dialogs/first_hints.h"

#include "engine/base/utf8.h"
#include "tests/unit/recorded_shell.h"
#include "tests/unit/runner.h"
#include "tui/dialogs/demo_guide.h"

#include <string.h>

static struct recorded_shell on;

static void setup(void)
{
	recorded_shell_open(&on, "tests/replay/contention.data");
	recorded_shell_settle(&on);
	on.shell.hints.on = true;
}

static void teardown(void)
{
	recorded_shell_close(&on);
}

START_TEST(hints_name_the_bound_keys)
{
	struct str text = STR_INIT;

	first_hints_text(on.bindings, ACTION_VIEW_CALLS, &text);
	ck_assert_str_eq(text.data, "New here? Up selects a call, Enter shows its details, "
				    "F2 lists views, \\ filters, Space pauses, "
				    "F1 lists all keys, Backspace hides this");
	str_release(&text);
}
END_TEST

START_TEST(hints_are_shown_until_a_hinted_key_is_used)
{
	ck_assert_int_eq(recorded_shell_row(&on, "New here?"), 36);
	recorded_shell_press(&on, "Tab");
	recorded_shell_press(&on, "4");
	recorded_shell_press(&on, "Up");
	ck_assert_int_eq(recorded_shell_row(&on, "Up selects a call"), 36);
	recorded_shell_press(&on, "Space");
	ck_assert_int_eq(recorded_shell_row(&on, "Up selects a call"), -1);
}
END_TEST

/* The first Esc only hides the hints. */
START_TEST(hints_can_be_hidden)
{
	on.shell.hints.on = false;
	recorded_shell_press(&on, "Enter");
	ck_assert_uint_eq(on.shell.session.filter_stack.count, 2);
	on.shell.hints.on = true;
	recorded_shell_press(&on, "Esc");
	ck_assert_int_eq(recorded_shell_row(&on, "New here?"), -1);
	ck_assert_uint_eq(on.shell.session.filter_stack.count, 2);
	recorded_shell_press(&on, "Esc");
	ck_assert_uint_eq(on.shell.session.filter_stack.count, 1);
}
END_TEST

START_TEST(small_screens_have_no_hints)
{
	ck_assert(first_hints_are_shown(&on.shell.hints, 16));
	ck_assert(!first_hints_are_shown(&on.shell.hints, 15));
	on.shell.hints.on = false;
	ck_assert(!first_hints_are_shown(&on.shell.hints, 40));
}
END_TEST

/* With the default keys, as for a new user. */
START_TEST(demo_hints_fit_80_columns)
{
	struct bindings *bindings;
	struct err err;

	ck_assert_msg(!bindings_new(&bindings, NULL, &err), "%s", err.text);
	for (int action = 0; action < ACTION_COUNT; action++) {
		struct str text = STR_INIT;

		demo_guide_text(bindings, (enum action)action, &text);
		ck_assert_msg(utf8_text_width(text.data, text.len) <= 78, "%s", text.data);
		str_release(&text);
	}
	bindings_free(bindings);
}
END_TEST

Suite *suite_first_hints(void);
Suite *suite_first_hints(void)
{
	Suite *suite = suite_create("first_hints");
	TCase *tests = tcase_create("first_hints");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, hints_name_the_bound_keys);
	tcase_add_test(tests, hints_are_shown_until_a_hinted_key_is_used);
	tcase_add_test(tests, hints_can_be_hidden);
	tcase_add_test(tests, small_screens_have_no_hints);
	tcase_add_test(tests, demo_hints_fit_80_columns);
	suite_add_tcase(suite, tests);
	return suite;
}
