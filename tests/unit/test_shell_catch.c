/* Catches in the interface, on a recording. */
#include "tui/shell/shell_catch.h"

#include "tests/unit/recorded_shell.h"
#include "tests/unit/runner.h"

#include <stdio.h>
#include <string.h>

static struct recorded_shell on;

static void setup(void)
{
	recorded_shell_open(&on, "tests/replay/contention.data");
}

static void teardown(void)
{
	recorded_shell_close(&on);
}

static void press(const char *const *keys)
{
	for (; *keys; keys++)
		recorded_shell_press(&on, *keys);
}
#define PRESS(...) press((const char *const[]){ __VA_ARGS__, NULL })

static void catch (const char *text)
{
	PRESS("*");
	if (!on.shell.entry.open)
		PRESS("+");
	recorded_shell_type(&on, text);
	PRESS("Enter");
}

static const struct prompt *prompt(void)
{
	return &on.shell.entry.prompt;
}

START_TEST(catches_are_typed_counted_and_listed)
{
	PRESS("*");
	ck_assert(on.shell.entry.open);
	recorded_shell_type(&on, "fre");
	PRESS("Tab");
	ck_assert_str_eq(prompt_text(prompt()), "freeze");
	ck_assert(prompt()->hint.len);
	recorded_shell_type(&on, ": sysc");
	PRESS("Tab");
	ck_assert_str_eq(prompt_text(prompt()), "freeze: syscall");
	recorded_shell_type(&on, " == futex");
	ck_assert_ptr_nonnull(strstr(prompt()->note.data, " of 247 calls"));
	PRESS("Enter");
	ck_assert(!on.shell.entry.open);
	ck_assert_int_ge(recorded_shell_row(&on, "1 of 1 catches armed"), 0);
	catch ("bell: failed");
	PRESS("*");
	ck_assert_int_eq(on.shell.menus.kind, MENU_CATCHES);
	ck_assert_int_ge(recorded_shell_row(&on, "* freeze: syscall == futex"), 0);
	PRESS("Space");
	ck_assert_int_ge(recorded_shell_row(&on, "1 of 2 catches armed"), 0);
	PRESS("Down", "Enter");
	ck_assert_str_eq(prompt_text(prompt()), "bell: failed");
	PRESS("Esc", "Del");
	ck_assert_int_ge(recorded_shell_row(&on, "0 of 1 catches armed"), 0);
	PRESS("Esc");
	ck_assert_int_eq(on.shell.menus.kind, MENU_NONE);
}
END_TEST

START_TEST(errors_are_shown_under_their_column)
{
	static const struct {
		const char *text;
		size_t offset;
	} cases[] = {
		{ "kill: futex", 0 },
		{ "freeze: sycall == 1", 8 },
		{ "record /dev/null: failed", 0 },
		{ "stop: futex", 0 }, /* impossible with a recording */
	};

	PRESS("*");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		PRESS("Ctrl-U");
		recorded_shell_type(&on, cases[i].text);
		PRESS("Enter");
		ck_assert_msg(on.shell.entry.open && prompt()->has_error, "%s", cases[i].text);
		ck_assert_msg(prompt()->error_offset == cases[i].offset, "%s: %zu", cases[i].text,
			      prompt()->error_offset);
	}
	PRESS("Esc");
	ck_assert(!on.shell.entry.open);
	ck_assert_int_lt(recorded_shell_row(&on, "armed"), 0);
}
END_TEST

START_TEST(the_number_of_catches_is_bounded)
{
	for (int i = 0; i < CATCHES_MAX; i++) {
		catch ("bell: failed");
		ck_assert(!on.shell.entry.open);
	}
	catch ("bell: failed");
	ck_assert(on.shell.entry.open);
	ck_assert_ptr_nonnull(strstr(prompt()->error.data, "remove one"));
	PRESS("Esc", "Home", "Del", "Esc");
	catch ("bell: failed");
	ck_assert(!on.shell.entry.open);
}
END_TEST

START_TEST(resuming_nothing_shows_a_message)
{
	PRESS(".");
	ck_assert_ptr_nonnull(strstr(on.shell.session.message.text.data, "No catch has stopped"));
}
END_TEST

/* Armed before the first call is read, a catch hits the first match. */
START_TEST(catches_of_the_command_line_test_every_call)
{
	struct engine_options options = { .recording = "tests/replay/contention.data" };
	struct catch_rule rules[2];
	struct filter_error error;
	struct engine_status status;
	struct catch_hit hits[4];
	struct engine *engine;
	struct err err;
	size_t count;

	ck_assert(!engine_new(&engine, &err));
	ck_assert(!catch_rule_parse(&rules[0], "freeze: exit_group", engine_filter_names(engine),
				    &error));
	ck_assert(!catch_rule_parse(&rules[1], "freeze: execve", engine_filter_names(engine),
				    &error));
	options.catches = rules;
	options.catch_count = 2;
	target_init(&options.target);
	ck_assert_msg(!engine_start(engine, &options, &err), "%s", err.text);
	do
		engine_status(engine, &status);
	while (!status.finished);
	count = engine_caught(engine, hits, 4);
	ck_assert_uint_eq(count, 2);
	ck_assert_uint_eq(hits[0].index, 1);
	ck_assert_uint_eq(hits[0].seq, 0);
	ck_assert_uint_eq(hits[1].index, 0);
	ck_assert_uint_gt(hits[1].seq, 200);
	engine_free(engine);
	catch_rule_release(&rules[0]);
	catch_rule_release(&rules[1]);
}
END_TEST

Suite *suite_shell_catch(void);
Suite *suite_shell_catch(void)
{
	Suite *suite = suite_create("shell_catch");
	TCase *tests = tcase_create("shell_catch");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, catches_are_typed_counted_and_listed);
	tcase_add_test(tests, errors_are_shown_under_their_column);
	tcase_add_test(tests, the_number_of_catches_is_bounded);
	tcase_add_test(tests, resuming_nothing_shows_a_message);
	tcase_add_test(tests, catches_of_the_command_line_test_every_call);
	suite_add_tcase(suite, tests);
	return suite;
}
