#include "engine/base/escape.h"

#include "engine/base/utf8.h"
#include "tests/unit/runner.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

START_TEST(bytes_read_as_strace_would_write_them)
{
	static const struct {
		const char *name;
		const char *bytes;
		size_t len;
		enum escape_style style;
		const char *expected;
	} cases[] = {
#define CASE(name, text, style, expected) { name, text, sizeof(text) - 1, style, expected }
		CASE("nothing", "", ESCAPE_PLAIN, ""),
		CASE("plain", "abc /etc", ESCAPE_PLAIN, "abc /etc"),
		CASE("named controls", "\n\t\r\f\v", ESCAPE_PLAIN, "\\n\\t\\r\\f\\v"),
		CASE("NUL", "\0", ESCAPE_PLAIN, "\\0"),
		CASE("one digit", "\1x", ESCAPE_PLAIN, "\\1x"),
		CASE("one digit before 8", "\0018", ESCAPE_PLAIN, "\\18"),
		CASE("all digits before 7", "\0017", ESCAPE_PLAIN, "\\0017"),
		CASE("all digits before 0", "\0000", ESCAPE_PLAIN, "\\0000"),
		CASE("NUL before NUL", "\0\0", ESCAPE_PLAIN, "\\0\\0"),
		CASE("two digits", "\033[31m", ESCAPE_PLAIN, "\\33[31m"),
		CASE("two digits before 1", "\0331", ESCAPE_PLAIN, "\\0331"),
		CASE("three digits", "\177\377", ESCAPE_PLAIN, "\\177\\377"),
		CASE("backslash", "a\\b", ESCAPE_PLAIN, "a\\\\b"),
		CASE("quote outside quotes", "\"", ESCAPE_PLAIN, "\""),
		CASE("quote inside quotes", "\"", ESCAPE_QUOTED, "\\\""),
		CASE("UTF-8 passes", "gr\303\274n \344\270\255", ESCAPE_QUOTED,
		     "gr\303\274n \344\270\255"),
		CASE("cut UTF-8", "\344\270", ESCAPE_PLAIN, "\\344\\270"),
		CASE("overlong newline", "\300\212", ESCAPE_PLAIN, "\\300\\212"),
		CASE("C1 control", "\302\233m", ESCAPE_PLAIN, "\\302\\233m"),
		CASE("right-to-left override", "\342\200\256txt", ESCAPE_PLAIN,
		     "\\342\\200\\256txt"),
		CASE("byte order mark", "\357\273\277x", ESCAPE_PLAIN, "\\357\\273\\277x"),
#undef CASE
	};
	struct str s = STR_INIT;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		str_clear(&s);
		str_add_escaped(&s, cases[i].bytes, cases[i].len, cases[i].style);
		ck_assert_msg(!strcmp(s.data, cases[i].expected), "%s: %s, not %s", cases[i].name,
			      s.data, cases[i].expected);
	}
	str_release(&s);
}
END_TEST

/* Decode the notation; a naive inverse of the function under test. */
static size_t unescape(const char *text, char *out)
{
	size_t len = 0;

	while (*text) {
		static const char names[] = "n\nt\tr\rf\fv\v\\\\\"\"";
		const char *name;
		unsigned int value = 0, digits = 0;

		if (*text != '\\') {
			out[len++] = *text++;
			continue;
		}
		text++;
		for (; digits < 3 && *text >= '0' && *text <= '7'; digits++)
			value = value * 8 + (unsigned int)(*text++ - '0');
		if (digits) {
			out[len++] = (char)value;
			continue;
		}
		for (name = names; *name && *name != *text; name += 2)
			;
		if (!*name)
			ck_abort_msg("\\%c is not an escape", *text);
		out[len++] = name[1];
		text++;
	}
	return len;
}

/* Fail on anything that a terminal would interpret. */
static void check_harmless(const struct str *s)
{
	for (size_t at = 0; at < s->len;) {
		uint32_t code;
		size_t n = utf8_decode(s->data + at, s->len - at, &code);

		if (!n || utf8_width(code) < 0)
			ck_abort_msg("byte %zu of %s", at, s->data);
		at += n;
	}
}

START_TEST(any_bytes_become_harmless_and_can_be_read_back)
{
	/* Digits, backslashes and starts of UTF-8 are the error-prone bytes. */
	static const char likely[] = "0178\\\"n\x1b\x01\x00\xc2\x9b\xe2\x80\xae\xf0\x9f\x98\x80";
	struct str s = STR_INIT;
	unsigned int seed = 2;

	for (unsigned int round = 0; round < 20000; round++) {
		char bytes[24], back[24 * 4];
		size_t len = (size_t)rand_r(&seed) % sizeof(bytes);
		enum escape_style style = round % 2 ? ESCAPE_PLAIN : ESCAPE_QUOTED;

		for (size_t i = 0; i < len; i++)
			bytes[i] = rand_r(&seed) % 4
					   ? likely[(size_t)rand_r(&seed) % (sizeof(likely) - 1)]
					   : (char)rand_r(&seed);
		str_clear(&s);
		str_add_escaped(&s, bytes, len, style);
		check_harmless(&s);
		if (unescape(s.data, back) != len || memcmp(back, bytes, len) != 0)
			ck_abort_msg("%s does not decode to the original", s.data);
	}
	str_release(&s);
}
END_TEST

START_TEST(json_strings_need_no_further_escape)
{
	struct str s = STR_INIT;

	str_add_json(&s, "a\"b\\c\n\377\033", 8);
	ck_assert_str_eq(s.data, "a\\\"b\\\\\\\\c\\\\n\\\\377\\\\33");
	str_release(&s);
}
END_TEST

START_TEST(names_are_cut_between_characters_and_escapes)
{
	static const struct {
		const char *name;
		size_t bytes;
		const char *expected;
	} cases[] = {
		{ "plain", 1, "" },
		{ "plain", 4, "pla" },
		{ "plain", 6, "plain" },
		{ "plain", 99, "plain" },
		{ "ab\033c", 5, "ab" },
		{ "ab\033c", 6, "ab\\33" },
		{ "ab\033"
		  "1",
		  7, "ab\\033" },
		{ "ab\033"
		  "1",
		  6, "ab" },
		{ "x\303\274", 3, "x" },
		{ "x\303\274", 4, "x\303\274" },
		{ "x\342\200\256", 6, "x" },
		{ "\\", 2, "" },
		{ "\\", 3, "\\\\" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char out[100];

		memset(out, '#', sizeof(out));
		ck_assert_ptr_eq(escape_name(out, cases[i].bytes, cases[i].name), out);
		ck_assert_msg(!strcmp(out, cases[i].expected), "%zu of %s: %s, not %s",
			      cases[i].bytes, cases[i].name, out, cases[i].expected);
		ck_assert_int_eq(out[cases[i].bytes < 100 ? cases[i].bytes : 99], '#');
	}
}
END_TEST

Suite *suite_escape(void);
Suite *suite_escape(void)
{
	Suite *suite = suite_create("escape");
	TCase *tests = tcase_create("escape");

	tcase_add_test(tests, bytes_read_as_strace_would_write_them);
	tcase_add_test(tests, any_bytes_become_harmless_and_can_be_read_back);
	tcase_add_test(tests, json_strings_need_no_further_escape);
	tcase_add_test(tests, names_are_cut_between_characters_and_escapes);
	suite_add_tcase(suite, tests);
	return suite;
}
