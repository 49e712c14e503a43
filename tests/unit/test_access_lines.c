#include "tui/panes/access_lines.h"

#include "tests/unit/runner.h"

#include <stdio.h>
#include <string.h>

#define REASON "one two three four five six seven eight nine ten eleven twelve"

static struct access access_with(bool own, bool all)
{
	static const char *const whats[ACCESS_COUNT] = {
		"tracefs", "own",     "all",    "kernel", "user",
		"wakers",  "symbols", "memory", "files",  "bpf",
	};
	struct access access = { .rows = { { .id = 0 } } };

	for (int i = 0; i < ACCESS_COUNT; i++) {
		access.rows[i].id = (enum access_id)i;
		access.rows[i].what = whats[i];
		access.rows[i].works = true;
	}
	access.rows[ACCESS_OWN_CALLS].works = own;
	access.rows[ACCESS_ALL_CALLS].works = all;
	for (int i = ACCESS_OWN_CALLS; i <= ACCESS_ALL_CALLS; i++) {
		struct access_row *row = &access.rows[i];

		if (row->works)
			continue;
		snprintf(row->why, sizeof(row->why), REASON);
		snprintf(row->setting, sizeof(row->setting), "sysctl a=1");
		snprintf(row->program, sizeof(row->program), "setcap cap+ep /some/where/stxtop");
	}
	return access;
}

/* Return the first line that contains the text; NULL: none. */
static const struct access_line *find(const struct access_lines *lines, const char *text)
{
	for (size_t i = 0; i < lines->count; i++)
		if (strstr(lines->items[i].text.data, text))
			return &lines->items[i];
	return NULL;
}

static size_t position(const struct access_lines *lines, const char *text)
{
	const struct access_line *line = find(lines, text);

	ck_assert_msg(line != NULL, "%s not found", text);
	return (size_t)(line - lines->items);
}

START_TEST(every_permission_has_a_summary_line)
{
	struct access access = access_with(false, false);
	struct access_lines lines;

	access_lines_init(&lines);
	access_lines_fill(&lines, &access, NULL, 80);
	ck_assert_uint_ge(lines.count, ACCESS_COUNT);
	for (int i = 0; i < ACCESS_COUNT; i++) {
		const struct access_line *line = &lines.items[i];

		ck_assert_ptr_nonnull(strstr(line->text.data, access.rows[i].what));
		ck_assert_ptr_nonnull(strstr(line->text.data, access.rows[i].works ? "yes" : "no"));
		ck_assert_uint_eq(line->role, access.rows[i].works ? ROLE_GOOD : ROLE_WARN);
	}
	access_lines_release(&lines);
}
END_TEST

/* A wrapped command is still copied as one line. */
START_TEST(sentences_and_commands_are_wrapped)
{
	struct access access = access_with(true, false);
	struct access_lines lines;
	const struct access_line *line;

	access_lines_init(&lines);
	access_lines_fill(&lines, &access, NULL, 30);
	for (size_t i = position(&lines, "one two"); i <= position(&lines, "twelve"); i++)
		ck_assert_uint_le(lines.items[i].text.len, 30);
	ck_assert_uint_gt(position(&lines, "twelve"), position(&lines, "one two") + 1);
	line = find(&lines, "setcap");
	ck_assert_ptr_nonnull(line);
	ck_assert_str_eq(line->text.data, "  setcap cap+ep \\");
	ck_assert_str_eq(line[1].text.data, "  /some/where/stxtop");
	ck_assert_str_eq(line[-1].text.data, "        for stxtop:");
	ck_assert_str_eq(line->copy.data, "setcap cap+ep /some/where/stxtop");
	ck_assert_str_eq(line[1].copy.data, line->copy.data);
	line = find(&lines, "sysctl");
	ck_assert_str_eq(line->text.data + line->label_bytes, "  sysctl a=1");
	ck_assert_str_eq(line->copy.data, "sysctl a=1");
	/* In a wide pane, a command is one line. */
	access_lines_fill(&lines, &access, NULL, 80);
	line = find(&lines, "setcap");
	ck_assert_str_eq(line->text.data + line->label_bytes, line->copy.data);
	/* Width 1: even one word is too long. */
	access_lines_fill(&lines, &access, "averyveryveryverylongwordindeed", 1);
	ck_assert_str_eq(lines.items[0].text.data, "averyveryveryverylongwordindeed");
	access_lines_release(&lines);
}
END_TEST

START_TEST(a_refusal_says_what_to_do)
{
	struct access access = access_with(true, false);
	struct access_lines lines;
	const struct access_line *line;

	access_lines_init(&lines);
	access_lines_fill(&lines, &access, "no permission", 80);
	ck_assert_str_eq(lines.items[0].text.data, "no permission");
	ck_assert_uint_eq(lines.items[0].role, ROLE_ERROR);
	line = find(&lines, "stxtop -u ");
	ck_assert_ptr_nonnull(line);
	ck_assert(!strncmp(line->copy.data, "stxtop -u ", 10));
	access = access_with(false, false);
	access_lines_fill(&lines, &access, "no permission", 80);
	ck_assert_ptr_null(find(&lines, "stxtop -u "));
	access = access_with(true, true);
	access_lines_fill(&lines, &access, "no permission", 80);
	ck_assert_ptr_nonnull(strstr(lines.items[0].text.data, "Enter"));
	ck_assert_ptr_null(find(&lines, "no permission"));
	access_lines_release(&lines);
}
END_TEST

Suite *suite_access_lines(void);
Suite *suite_access_lines(void)
{
	Suite *suite = suite_create("access_lines");
	TCase *tc = tcase_create("access_lines");

	tcase_add_test(tc, every_permission_has_a_summary_line);
	tcase_add_test(tc, sentences_and_commands_are_wrapped);
	tcase_add_test(tc, a_refusal_says_what_to_do);
	suite_add_tcase(suite, tc);
	return suite;
}
