/* The note below a filter while it is typed, on a recording. */
#include "tui/dialogs/filter_draft.h"

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

static const char *note(void)
{
	return on.shell.entry.prompt.note.data;
}

/* Count the matches by copying them, as the pane does. */
static unsigned copied(const struct filter *filter)
{
	struct call calls[64];
	uint64_t seqs[64], first, seq;
	unsigned count = 0;

	engine_calls_range(on.engine, &first, &seq);
	while (seq > first) {
		size_t got = engine_calls_before(on.engine, &seq, filter, calls, seqs, 64);

		for (size_t i = 0; i < got; i++)
			count += calls[i].state != CALL_GAP;
	}
	return count;
}

START_TEST(matches_of_a_typed_filter_are_counted)
{
	static const char *const texts[] = { "futex",     "syscall == futex && dur > 5ms",
					     "failed",    "tid == 1",
					     "not futex", "comm ~ \"wait\"" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct filter_error error;
		struct filter *filter;
		char wanted[64];

		recorded_shell_press(&on, "F4");
		recorded_shell_type(&on, texts[i]);
		ck_assert(!filter_parse(&filter, texts[i], engine_filter_names(on.engine), &error));
		snprintf(wanted, sizeof(wanted), "%u of %u calls", copied(filter), copied(NULL));
		ck_assert_msg(!strcmp(note(), wanted), "%s: %s, not %s", texts[i], note(), wanted);
		filter_free(filter);
		ck_assert_int_ge(recorded_shell_row(&on, wanted), 0);
		recorded_shell_press(&on, "Esc");
	}
}
END_TEST

START_TEST(incomplete_filter_shows_a_hint_and_keeps_the_count)
{
	char count[64];

	recorded_shell_press(&on, "F4");
	recorded_shell_type(&on, "futex");
	snprintf(count, sizeof(count), "(%s)", note());
	ck_assert(!on.shell.entry.prompt.hint.len);
	recorded_shell_type(&on, " and dur >");
	ck_assert_str_eq(note(), count);
	ck_assert(on.shell.entry.prompt.hint.len);
	ck_assert_uint_eq(on.shell.entry.prompt.hint_offset, strlen("futex and dur >"));
	ck_assert(!on.shell.entry.prompt.has_error);
	/* Enter shows the same text as an error. */
	recorded_shell_press(&on, "Enter");
	ck_assert(on.shell.entry.open);
	ck_assert(on.shell.entry.prompt.has_error);
	recorded_shell_type(&on, " 5ms");
	ck_assert(!on.shell.entry.prompt.has_error);
	ck_assert_str_ne(note(), count);
	recorded_shell_press(&on, "Ctrl-U");
	ck_assert_str_eq(note(), "");
}
END_TEST

START_TEST(new_line_starts_without_the_last_count)
{
	recorded_shell_press(&on, "F4");
	recorded_shell_type(&on, "futex");
	recorded_shell_press(&on, "Esc");
	recorded_shell_press(&on, "F4");
	ck_assert_str_eq(note(), "");
	recorded_shell_type(&on, "dur >");
	ck_assert_str_eq(note(), "");
}
END_TEST

START_TEST(arrows_move_in_an_open_list)
{
	recorded_shell_press(&on, "F4");
	recorded_shell_type(&on, "failed");
	recorded_shell_press(&on, "Enter");
	recorded_shell_press(&on, "F4");
	recorded_shell_press(&on, "Ctrl-U");
	recorded_shell_type(&on, "syscall == fut");
	recorded_shell_press(&on, "Tab");
	recorded_shell_press(&on, "Tab");
	ck_assert(prompt_is_choosing(&on.shell.entry.prompt));
	recorded_shell_press(&on, "Down");
	ck_assert_str_ne(prompt_text(&on.shell.entry.prompt), "failed");
	ck_assert_msg(!strncmp(prompt_text(&on.shell.entry.prompt), "syscall == fut", 14), "%s",
		      prompt_text(&on.shell.entry.prompt));
	recorded_shell_press(&on, "Esc");
	ck_assert(on.shell.entry.open);
	ck_assert(!prompt_is_choosing(&on.shell.entry.prompt));
	recorded_shell_press(&on, "Up");
	ck_assert_str_eq(prompt_text(&on.shell.entry.prompt), "failed");
	recorded_shell_press(&on, "Esc");
	ck_assert(!on.shell.entry.open);
}
END_TEST

Suite *suite_filter_draft(void);
Suite *suite_filter_draft(void)
{
	Suite *suite = suite_create("filter_draft");
	TCase *tests = tcase_create("filter_draft");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, matches_of_a_typed_filter_are_counted);
	tcase_add_test(tests, incomplete_filter_shows_a_hint_and_keeps_the_count);
	tcase_add_test(tests, new_line_starts_without_the_last_count);
	tcase_add_test(tests, arrows_move_in_an_open_list);
	suite_add_tcase(suite, tests);
	return suite;
}
