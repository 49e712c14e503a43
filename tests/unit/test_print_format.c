#include "engine/source/print_format.h"

#include "tests/unit/runner.h"

#include <stdlib.h>
#include <string.h>

START_TEST(it_begins_on_a_line_of_its_own)
{
	static const char text[] = "name: x\nfield: print fmt: y\n\nprint fmt: \"%d\", REC->a\n";

	ck_assert_str_eq(text + print_format_at(text, strlen(text)), "print fmt: \"%d\", REC->a\n");
	ck_assert_uint_eq(print_format_at("name: x\n", 8), 8);
	ck_assert_uint_eq(print_format_at("", 0), 0);
}
END_TEST

static const struct {
	const char *format;
	bool plain;
} cases[] = {
	{ "", true },
	{ "print fmt: \"pid=%d comm=%-16s\", REC->pid, REC->comm", true },
	{ "print fmt: \"%s\", __print_flags(REC->flags & 0x10, \"|\", { 1, \"a\" }, { 2, \"b\" })",
	  true },
	{ "print fmt: \"a/b [c] %d%%\", REC->a", true },
	{ "print fmt: \"%08llx %.3s\", REC->a, REC->b", true },
	{ "print fmt: \"\\\"/%d\\\"\", REC->a", true },
	{ "print fmt: \"%d\", REC->a / REC->b", false },
	{ "print fmt: \"%d\", REC->a % 2", false },
	{ "print fmt: \"%d\", REC->a[70000]", false },
	{ "print fmt: \"%2000000000d\", REC->a", false },
	{ "print fmt: \"%.2000000000s\", REC->a", false },
	{ "print fmt: \"%*d\", REC->a, REC->b", false },
	{ "print fmt: \"%-0*d\", REC->a, REC->b", false },
	{ "print fmt: \"%d, REC->a", false },
	{ "print fmt: \"%d\", (REC->a", false },
	{ "print fmt: \"%d\", REC->a)", false },
	{ "print fmt: \"%d\", '/'", false },
};

START_TEST(what_could_do_harm_is_not_plain)
{
	size_t len = strlen(cases[_i].format);

	ck_assert_msg(print_format_is_plain(cases[_i].format, len) == cases[_i].plain, "%s",
		      cases[_i].format);
}
END_TEST

START_TEST(neither_is_what_is_long_or_deep)
{
	char *text = malloc(64 << 10);

	memset(text, 'a', 64 << 10);
	ck_assert(print_format_is_plain(text, 1000));
	ck_assert(!print_format_is_plain(text, 64 << 10));
	memset(text, '(', 1000);
	memset(text + 1000, ')', 1000);
	ck_assert(!print_format_is_plain(text, 2000));
	ck_assert(!print_format_is_plain("a\0b", 3));
	free(text);
}
END_TEST

Suite *suite_print_format(void);
Suite *suite_print_format(void)
{
	Suite *suite = suite_create("print_format");
	TCase *tests = tcase_create("all");

	tcase_add_test(tests, it_begins_on_a_line_of_its_own);
	tcase_add_loop_test(tests, what_could_do_harm_is_not_plain, 0,
			    sizeof(cases) / sizeof(cases[0]));
	tcase_add_test(tests, neither_is_what_is_long_or_deep);
	suite_add_tcase(suite, tests);
	return suite;
}
