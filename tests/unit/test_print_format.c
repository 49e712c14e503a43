#include "engine/source/print_format.h"

#include "tests/unit/runner.h"

#include <stdlib.h>
#include <string.h>

START_TEST(the_print_format_begins_on_its_own_line)
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
	{ "print fmt: \"%s\", REC->a ? \"x\" : \"y\"\n", true },
	{ "print fmt: \"%s\", (REC->a & ((((0x1 | 0x2) + 1) << 1) - 1)) ? __print_flags(REC->a & "
	  "((1 << 8) - 1), \"|\", { 0x1, \"S\" }, { (1 << 1), \"D\" }) : \"R\", "
	  "(u64)REC->b == 1UL || !REC->c, __get_str(name)",
	  true },
	{ "print fmt: \"\"", true },
	{ "print fmt: \"%d\", ", false },
	{ "print fmt: \"%d\", REC->", false },
	{ "print fmt: \"%d\", REC->1", false },
	{ "print fmt: \"%d\", REC->a REC->b", false },
	{ "print fmt: \"%d\", REC->a ? 1", false },
	{ "print fmt: \"%d\", REC->a +", false },
	{ "print fmt: \"%d\", * 2", false },
	{ "print fmt: \"%d\", (int)", false },
	{ "print fmt: \"%d\", unknown", false },
	{ "print fmt: \"%d\", __print_hex(REC->a, 3)", false },
	{ "print fmt: \"%d\", __print_flags(REC->a)", false },
	{ "print fmt: \"%d\", __print_symbolic(REC->a, { 1 })", false },
	{ "print fmt: \"%d\", __print_symbolic(REC->a, { 1, \"a\" }", false },
	{ "print fmt: \"%d\", __get_str(1)", false },
	{ "print fmt: REC->a", false },
	{ "print fmt: \"%d\", 99999999999999999999", false },
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

START_TEST(harmful_formats_are_not_plain)
{
	size_t len = strlen(cases[_i].format);

	ck_assert_msg(print_format_is_plain(cases[_i].format, len, NULL, NULL) == cases[_i].plain,
		      "%s", cases[_i].format);
}
END_TEST

START_TEST(long_and_deep_formats_are_not_plain)
{
	char *text = malloc(64 << 10);

	memset(text, 'a', 64 << 10);
	memcpy(text, "print fmt: \"", 12);
	text[999] = text[(64 << 10) - 1] = '"';
	ck_assert(print_format_is_plain(text, 1000, NULL, NULL));
	text[999] = 'a';
	ck_assert(!print_format_is_plain(text, 64 << 10, NULL, NULL));
	memcpy(text, "print fmt: \"\",", 14);
	memset(text + 14, '(', 1000);
	text[1014] = '1';
	memset(text + 1015, ')', 1000);
	ck_assert(!print_format_is_plain(text, 2015, NULL, NULL));
	ck_assert(!print_format_is_plain("print fmt: \"a\0b\"", 16, NULL, NULL));
	free(text);
}
END_TEST

#define HEAD "name: x\nID: 7\nformat:\n"
#define BEHIND "\toffset:8;\tsize:4;\tsigned:1;\n"

static const struct {
	const char *text;
	bool plain;
} formats[] = {
	{ HEAD "\tfield:int a;" BEHIND "\n\tfield:char b[16];" BEHIND "\nprint fmt: anything",
	  true },
	{ HEAD "\tfield:__data_loc char[] name;" BEHIND, true },
	{ HEAD "\tfield:const struct foo * p;" BEHIND, true },
	{ HEAD "\tfield:char comm[TASK_COMM_LEN];" BEHIND, true },
	{ HEAD "\tfield:unsigned long args[6];" BEHIND "\tfield:u8 x[];" BEHIND, true },
	{ HEAD, true },
	{ "", false },
	{ "name: x\n", false },
	{ "name: x\nID: y\nformat:\n", false },
	{ HEAD "\tfield:int a\toffset:8;\n", false },
	{ HEAD "\tfield:a;" BEHIND, false },
	{ HEAD "\tfield:int *;" BEHIND, false },
	{ HEAD "\tfield:[4] int a;" BEHIND, false },
	{ HEAD "\tfield:int a[4;" BEHIND, false },
	{ HEAD "\tfield:int a;\toffset:-8;\tsize:4;\tsigned:1;\n", false },
	{ HEAD "\tfield:int a;\toffset:8;\tsize:4;\n", false },
	{ HEAD "\tfield:int a;" BEHIND "more\n", false },
};

START_TEST(malformed_fields_are_not_plain)
{
	ck_assert_msg(format_fields_are_plain(formats[_i].text, strlen(formats[_i].text)) ==
			      formats[_i].plain,
		      "%s", formats[_i].text);
}
END_TEST

Suite *suite_print_format(void);
Suite *suite_print_format(void)
{
	Suite *suite = suite_create("print_format");
	TCase *tests = tcase_create("all");

	tcase_add_test(tests, the_print_format_begins_on_its_own_line);
	tcase_add_loop_test(tests, harmful_formats_are_not_plain, 0,
			    sizeof(cases) / sizeof(cases[0]));
	tcase_add_test(tests, long_and_deep_formats_are_not_plain);
	tcase_add_loop_test(tests, malformed_fields_are_not_plain, 0,
			    sizeof(formats) / sizeof(formats[0]));
	suite_add_tcase(suite, tests);
	return suite;
}
