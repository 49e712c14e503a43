#include "engine/base/assignment.h"

#include "tests/unit/runner.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct {
	const char *line, *name, *value; /* name NULL: no assignment */
	const char *wrong;
} lines[] = {
	{ "a = b", "a", "b", NULL },
	{ "  a=b  ", "a", "b", NULL },
	{ "\ta\t=\tb\tc\t", "a", "b\tc", NULL },
	{ "a b = c = d", "a b", "c = d", NULL },
	{ "a =", "a", "", NULL },
	{ "= b", "", "b", NULL },
	{ "a = b # c", "a", "b # c", NULL },
	{ "", NULL, NULL, NULL },
	{ "   ", NULL, NULL, NULL },
	{ "# a = \033[2J", NULL, NULL, NULL },
	{ "  #", NULL, NULL, NULL },
	{ "a", NULL, NULL, "missing =" },
	{ "a = \033[2J", NULL, NULL, "bytes that are not text" },
	{ "a\r = b", NULL, NULL, "bytes that are not text" },
	{ "a = \xff", NULL, NULL, "bytes that are not text" },
	{ "a = \xc2\x9b", NULL, NULL, "bytes that are not text" },
	{ "na\xc3\xafve = \xe2\x86\x92", "na\xc3\xafve", "\xe2\x86\x92", NULL },
};

START_TEST(lines_are_parsed)
{
	struct assignment got;
	const char *wrong = assignment_parse(lines[_i].line, strlen(lines[_i].line), &got);

	ck_assert_msg(!wrong == !lines[_i].wrong && (!wrong || !strcmp(wrong, lines[_i].wrong)),
		      "%s: %s", lines[_i].line, wrong ? wrong : "no error");
	if (!lines[_i].name) {
		ck_assert_ptr_null(got.name);
		return;
	}
	ck_assert_uint_eq(got.name_len, strlen(lines[_i].name));
	ck_assert_uint_eq(got.value_len, strlen(lines[_i].value));
	ck_assert(!memcmp(got.name, lines[_i].name, got.name_len));
	ck_assert(!memcmp(got.value, lines[_i].value, got.value_len));
}
END_TEST

static const struct {
	const char *line, *value;
} remarks[] = {
	{ "a = b # c", "b" },
	{ "a = b #", "b" },
	{ "a = # b", "" },
	{ "a = #", "" },
	{ "a = #b", "#b" },
	{ "a = b#c", "b#c" },
	{ "a = b# c", "b# c" },
	{ "a = b", "b" },
	{ "a = #ff0000 on #00ff00 # red", "#ff0000 on #00ff00" },
	{ "a = b\t#\tc", "b" },
};

START_TEST(remarks_are_cut)
{
	struct assignment got;

	ck_assert_ptr_null(assignment_parse(remarks[_i].line, strlen(remarks[_i].line), &got));
	assignment_cut_remark(&got);
	ck_assert_uint_eq(got.value_len, strlen(remarks[_i].value));
	ck_assert(!memcmp(got.value, remarks[_i].value, got.value_len));
}
END_TEST

START_TEST(text_is_split_into_lines)
{
	static const char text[] = "one\n\nthree\nfour";
	static const char *const wanted[] = { "one", "", "three", "four" };
	const char *line;
	size_t len, at = 0;

	for (size_t i = 0; i < COUNT(wanted); i++) {
		ck_assert(assignment_next_line(text, strlen(text), &at, &line, &len));
		ck_assert_uint_eq(len, strlen(wanted[i]));
		ck_assert(!memcmp(line, wanted[i], len));
	}
	ck_assert(!assignment_next_line(text, strlen(text), &at, &line, &len));
	at = 0;
	ck_assert(!assignment_next_line(text, 0, &at, &line, &len));
}
END_TEST

Suite *suite_assignment(void);

Suite *suite_assignment(void)
{
	Suite *suite = suite_create("assignment");
	TCase *tcase = tcase_create("assignment");

	tcase_add_loop_test(tcase, lines_are_parsed, 0, COUNT(lines));
	tcase_add_loop_test(tcase, remarks_are_cut, 0, COUNT(remarks));
	tcase_add_test(tcase, text_is_split_into_lines);
	suite_add_tcase(suite, tcase);
	return suite;
}
