#include "tui/calls/text_fields.h"

#include "engine/base/str.h"
#include "tests/unit/runner.h"

#include <string.h>

static const struct {
	const char *name, *text, *lines;
} cases[] = {
	{ "no struct", "O_RDONLY|O_CLOEXEC", "0 O_RDONLY|O_CLOEXEC\n" },
	{ "nothing", "", "0 \n" },
	{ "a struct", "{st_mode=S_IFREG|0644, st_size=3, ...}",
	  "0 {\n1 st_mode=S_IFREG|0644,\n1 st_size=3,\n1 ...\n0 }\n" },
	{ "an array of numbers", "[1, 2, 3]", "0 [1, 2, 3]\n" },
	{ "an array of structs", "[{fd=3, events=POLLIN}, {fd=4}]",
	  "0 [\n1 {\n2 fd=3,\n2 events=POLLIN\n1 },\n1 {\n2 fd=4\n1 }\n0 ]\n" },
	{ "a struct in one", "{a={b=1, c=[2, 3]}, d=4}",
	  "0 {\n1 a={\n2 b=1,\n2 c=[2, 3]\n1 },\n1 d=4\n0 }\n" },
	{ "quoted braces are text", "{a=\"{x, \\\"}, y\", b=1}",
	  "0 {\n1 a=\"{x, \\\"}, y\",\n1 b=1\n0 }\n" },
	{ "an end in quotes", "{a=\"}\", b=1}", "0 {\n1 a=\"}\",\n1 b=1\n0 }\n" },
	{ "a bracket in quotes", "{a=\"[,\", b=1}", "0 {\n1 a=\"[,\",\n1 b=1\n0 }\n" },
	{ "a struct in quotes", "\"{a, b}\"", "0 \"{a, b}\"\n" },
	{ "a quote alone", "\"{a, b}", "0 \"{a, b}\n" },
	{ "no end", "{a=1, {b=2", "0 {a=1, {b=2\n" },
	{ "an end alone", "}, {a=1, b=2}", "0 }, {\n1 a=1,\n1 b=2\n0 }\n" },
	{ "an empty struct", "{}", "0 {}\n" },
	{ "two after each other", "{a=1} => {a=2}", "0 {\n1 a=1\n0 } => {\n1 a=2\n0 }\n" },
};

static void add_line(void *ctx, const char *text, size_t len, unsigned depth)
{
	str_addf(ctx, "%u %.*s\n", depth, (int)len, text);
}

START_TEST(each_member_has_its_own_line)
{
	struct str lines = STR_INIT;

	text_fields(cases[_i].text, strlen(cases[_i].text), add_line, &lines);
	ck_assert_msg(!strcmp(lines.data, cases[_i].lines), "%s: %s", cases[_i].name, lines.data);
	str_release(&lines);
}
END_TEST

struct counter {
	size_t lines, bytes;
};

static void count_line(void *ctx, const char *text, size_t len, unsigned depth)
{
	struct counter *counter = ctx;

	(void)text;
	ck_assert_uint_le(depth, 6);
	counter->lines++;
	counter->bytes += len;
}

/* At any depth and length, the lines and their depth are bounded, and no text is lost. */
START_TEST(absurd_structs_are_bounded)
{
	struct counter counter = { 0, 0 };
	struct str text = STR_INIT;

	for (int i = 0; i < 1000; i++)
		str_add(&text, "{a=1,{b=2,");
	for (int i = 0; i < 2000; i++)
		str_addc(&text, '}');
	text_fields(text.data, text.len, count_line, &counter);
	ck_assert_uint_eq(counter.bytes, text.len);
	ck_assert_uint_le(counter.lines, 20);
	str_clear(&text);
	counter = (struct counter){ 0, 0 };
	str_addc(&text, '[');
	for (int i = 0; i < 5000; i++)
		str_add(&text, "{a=1},");
	str_addc(&text, ']');
	text_fields(text.data, text.len, count_line, &counter);
	ck_assert_uint_eq(counter.bytes, text.len);
	ck_assert_uint_le(counter.lines, 500);
	str_release(&text);
}
END_TEST

Suite *suite_text_fields(void);

Suite *suite_text_fields(void)
{
	Suite *suite = suite_create("text_fields");
	TCase *tcase = tcase_create("text_fields");

	tcase_add_loop_test(tcase, each_member_has_its_own_line, 0,
			    sizeof(cases) / sizeof(cases[0]));
	tcase_add_test(tcase, absurd_structs_are_bounded);
	suite_add_tcase(suite, tcase);
	return suite;
}
