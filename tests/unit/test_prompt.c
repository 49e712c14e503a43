#include "widgets/prompt.h"

#include "tests/unit/canvas_rows.h"
#include "tests/unit/runner.h"

#include <stdio.h>
#include <string.h>

static struct canvas canvas;
static struct line_history history;
static struct prompt prompt;

static void complete(void *data, const char *text, size_t cursor,
		     struct prompt_candidates *candidates)
{
	static const char *const words[] = { "futex", "fsync", "fstat", "openat" };
	size_t start = cursor;

	(void)data;
	while (start > 0 && text[start - 1] != ' ')
		start--;
	candidates->word_start = start;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strncmp(words[i], text + start, cursor - start))
			prompt_candidates_add(candidates, words[i], i ? NULL : "locks");
}

static void set_up(void)
{
	canvas_init(&canvas, 3, 24, false);
	line_history_init(&history);
	prompt_init(&prompt);
	prompt_open(&prompt, "Filter: ", "", &history, complete, NULL);
}

static void tear_down(void)
{
	prompt_release(&prompt);
	line_history_release(&history);
	canvas_release(&canvas);
}

static void type(const char *text)
{
	prompt_insert(&prompt, text, strlen(text));
}

static const struct {
	const char *name, *text;
	enum prompt_edit edits[4];
	int edit_count;
	const char *typed, *result;
} edits[] = {
	{ "insert in the middle", "abc", { PROMPT_LEFT }, 1, "X", "abXc" },
	{ "home and end", "abc", { PROMPT_HOME, PROMPT_END, PROMPT_HOME }, 3, "X", "Xabc" },
	{ "backspace", "abc", { PROMPT_BACKSPACE, PROMPT_BACKSPACE }, 2, "X", "aX" },
	{ "backspace at the start", "abc", { PROMPT_HOME, PROMPT_BACKSPACE }, 2, "X", "Xabc" },
	{ "delete", "abc", { PROMPT_HOME, PROMPT_DELETE }, 2, "X", "Xbc" },
	{ "delete at the end", "abc", { PROMPT_DELETE }, 1, "X", "abcX" },
	{ "whole characters", "aé日", { PROMPT_BACKSPACE, PROMPT_BACKSPACE }, 2, "X", "aX" },
	{ "left over a wide one", "aé日", { PROMPT_LEFT, PROMPT_LEFT }, 2, "X", "aXé日" },
	{ "accents go with their letter", "ae\xcc\x81", { PROMPT_BACKSPACE }, 1, "X", "aX" },
	{ "delete an accented letter", "e\xcc\x81z", { PROMPT_HOME, PROMPT_DELETE }, 2, "X", "Xz" },
	{ "word left", "pid == 42", { PROMPT_WORD_LEFT, PROMPT_WORD_LEFT }, 2, "X", "Xpid == 42" },
	{ "word right", "ab cd", { PROMPT_HOME, PROMPT_WORD_RIGHT }, 2, "X", "abX cd" },
	{ "kill word", "pid == 42", { PROMPT_KILL_WORD }, 1, "X", "pid == X" },
	{ "kill word over blanks", "pid == ", { PROMPT_KILL_WORD }, 1, "X", "X" },
	{ "kill to start", "abcd", { PROMPT_LEFT, PROMPT_KILL_TO_START }, 2, "X", "Xd" },
	{ "kill to end", "abcd", { PROMPT_HOME, PROMPT_RIGHT, PROMPT_KILL_TO_END }, 3, "X", "aX" },
};

START_TEST(each_edit_has_its_effect)
{
	type(edits[_i].text);
	for (int i = 0; i < edits[_i].edit_count; i++)
		prompt_edit(&prompt, edits[_i].edits[i]);
	type(edits[_i].typed);
	ck_assert_msg(!strcmp(prompt_text(&prompt), edits[_i].result), "%s: \"%s\"", edits[_i].name,
		      prompt_text(&prompt));
}
END_TEST

START_TEST(typed_text_is_clean_and_bounded)
{
	char many[PROMPT_MAX_BYTES + 100];

	type("a\nb\033c\xff"
	     "d");
	prompt_insert_char(&prompt, 0x65e5);
	ck_assert_str_eq(prompt_text(&prompt), "a b c?d日");
	/* Too long text is rejected whole: a filter without its end can be another filter. */
	memset(many, 'x', sizeof(many));
	prompt_insert(&prompt, many, sizeof(many));
	ck_assert(prompt.has_error);
	ck_assert_str_eq(prompt_text(&prompt), "a b c?d日");
	prompt_insert(&prompt, many, PROMPT_MAX_BYTES - strlen(prompt_text(&prompt)));
	ck_assert(!prompt.has_error);
	ck_assert_uint_eq(prompt.text.len, PROMPT_MAX_BYTES);
	type("y");
	ck_assert(prompt.has_error);
	ck_assert_uint_eq(prompt.text.len, PROMPT_MAX_BYTES);
	many[sizeof(many) - 1] = '\0';
	prompt_set_text(&prompt, many);
	ck_assert(prompt.has_error);
	ck_assert_str_eq(prompt_text(&prompt), "");
}
END_TEST

START_TEST(history_is_browsed_both_ways)
{
	line_history_add(&history, "first");
	line_history_add(&history, "second");
	line_history_add(&history, "second");
	line_history_add(&history, "");
	ck_assert_uint_eq(history.count, 2);
	type("draft");
	ck_assert(prompt_edit(&prompt, PROMPT_HISTORY_OLDER));
	ck_assert_str_eq(prompt_text(&prompt), "second");
	ck_assert(prompt_edit(&prompt, PROMPT_HISTORY_OLDER));
	ck_assert(!prompt_edit(&prompt, PROMPT_HISTORY_OLDER));
	ck_assert_str_eq(prompt_text(&prompt), "first");
	ck_assert(prompt_edit(&prompt, PROMPT_HISTORY_NEWER));
	ck_assert(prompt_edit(&prompt, PROMPT_HISTORY_NEWER));
	ck_assert(!prompt_edit(&prompt, PROMPT_HISTORY_NEWER));
	ck_assert_str_eq(prompt_text(&prompt), "draft");
	prompt_remember(&prompt);
	ck_assert_str_eq(line_history_get(&history, 0), "draft");
	ck_assert_str_eq(line_history_get(&history, 2), "first");
	ck_assert_ptr_null(line_history_get(&history, 3));
}
END_TEST

START_TEST(history_is_bounded)
{
	for (int i = 0; i < LINE_HISTORY_MAX + 5; i++) {
		char line[32];

		snprintf(line, sizeof(line), "line %d", i);
		line_history_add(&history, line);
	}
	ck_assert_uint_eq(history.count, LINE_HISTORY_MAX);
	ck_assert_str_eq(line_history_get(&history, LINE_HISTORY_MAX - 1), "line 5");
}
END_TEST

START_TEST(completion_inserts_unambiguous_words)
{
	type("x o");
	ck_assert(prompt_edit(&prompt, PROMPT_COMPLETE));
	ck_assert_str_eq(prompt_text(&prompt), "x openat");
	prompt_set_text(&prompt, "fs z");
	prompt_edit(&prompt, PROMPT_LEFT);
	prompt_edit(&prompt, PROMPT_LEFT);
	ck_assert(prompt_edit(&prompt, PROMPT_COMPLETE));
	ck_assert_str_eq(prompt_text(&prompt), "fs z"); /* ambiguous: listed */
	ck_assert_int_eq(prompt_rows(&prompt, 10), 3);
	ck_assert_int_eq(prompt_rows(&prompt, 2), 2);
	prompt_draw(&prompt, &canvas);
	assert_rows(&canvas, "Filter: fs z\n        fsync\n        fstat\n");
	prompt_edit(&prompt, PROMPT_COMPLETE);
	ck_assert_str_eq(prompt_text(&prompt), "fsync z");
	prompt_edit(&prompt, PROMPT_COMPLETE);
	ck_assert_str_eq(prompt_text(&prompt), "fstat z");
	prompt_edit(&prompt, PROMPT_COMPLETE_BACK);
	prompt_edit(&prompt, PROMPT_COMPLETE_BACK);
	ck_assert_str_eq(prompt_text(&prompt), "fstat z");
	type("!");
	ck_assert_str_eq(prompt_text(&prompt), "fstat! z");
	ck_assert_int_eq(prompt_rows(&prompt, 10), 1);
	prompt_set_text(&prompt, "q");
	ck_assert(!prompt_edit(&prompt, PROMPT_COMPLETE));
	prompt_set_text(&prompt, "f");
	prompt_edit(&prompt, PROMPT_COMPLETE);
	prompt_click(&prompt, 3, 9);
	ck_assert_str_eq(prompt_text(&prompt), "fstat");
}
END_TEST

START_TEST(error_stands_under_its_column)
{
	type("pid = 4");
	prompt_set_error(&prompt, 4, "no ==");
	ck_assert_int_eq(prompt_rows(&prompt, 10), 2);
	ck_assert_int_eq(prompt_draw(&prompt, &canvas), 15);
	assert_rows(&canvas, "Filter: pid = 4\n            ^ no ==\n\n");
	assert_roles(&canvas, 0, "ppppppppiiiiiiittttttttt");
	prompt_set_error(&prompt, 4, "too long here");
	prompt_draw(&prompt, &canvas);
	assert_rows(&canvas, "Filter: pid = 4\ntoo long here\n\n");
	prompt_set_error(&prompt, 99, "expected");
	prompt_draw(&prompt, &canvas);
	assert_rows(&canvas, "Filter: pid = 4\n      expected ^\n\n");
	type("2");
	ck_assert(!prompt.has_error);
}
END_TEST

START_TEST(long_lines_scroll_with_the_cursor)
{
	type("abcdefghijklmnopqrstuvwxyz");
	ck_assert_int_eq(prompt_draw(&prompt, &canvas), 23);
	assert_rows(&canvas, "Filter: lmnopqrstuvwxyz\n\n\n");
	/* The column of the error is out of view; the message is still shown. */
	prompt_set_error(&prompt, 0, "no field");
	prompt_draw(&prompt, &canvas);
	assert_rows(&canvas, "Filter: lmnopqrstuvwxyz\n^ no field\n\n");
	prompt_clear_error(&prompt);
	prompt_click(&prompt, 0, 10);
	type("_");
	ck_assert_ptr_nonnull(strstr(prompt_text(&prompt), "lm_n"));
	prompt_edit(&prompt, PROMPT_HOME);
	ck_assert_int_eq(prompt_draw(&prompt, &canvas), 8);
	assert_rows(&canvas, "Filter: abcdefghijklm_no\n\n\n");
	canvas_resize(&canvas, 1, 4);
	prompt_draw(&prompt, &canvas);
	assert_rows(&canvas, "abcd\n");
}
END_TEST

START_TEST(scrolled_text_becomes_visible_again)
{
	type("abcdefghijklmnopqrstuvwxyz");
	prompt_draw(&prompt, &canvas);
	prompt_edit(&prompt, PROMPT_KILL_TO_START);
	type("short ");
	ck_assert_int_eq(prompt_draw(&prompt, &canvas), 14);
	assert_rows(&canvas, "Filter: short\n\n\n");
	type("abcdefghijklmnopqr");
	prompt_draw(&prompt, &canvas);
	canvas_resize(&canvas, 1, 40);
	prompt_draw(&prompt, &canvas);
	assert_rows(&canvas, "Filter: short abcdefghijklmnopqr\n");
}
END_TEST

Suite *suite_prompt(void);

Suite *suite_prompt(void)
{
	Suite *suite = suite_create("prompt");
	TCase *tcase = tcase_create("prompt");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_loop_test(tcase, each_edit_has_its_effect, 0, sizeof(edits) / sizeof(edits[0]));
	tcase_add_test(tcase, typed_text_is_clean_and_bounded);
	tcase_add_test(tcase, history_is_browsed_both_ways);
	tcase_add_test(tcase, history_is_bounded);
	tcase_add_test(tcase, completion_inserts_unambiguous_words);
	tcase_add_test(tcase, error_stands_under_its_column);
	tcase_add_test(tcase, scrolled_text_becomes_visible_again);
	tcase_add_test(tcase, long_lines_scroll_with_the_cursor);
	suite_add_tcase(suite, tcase);
	return suite;
}
