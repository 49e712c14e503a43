#include "engine/base/utf8.h"

#include "tests/unit/runner.h"

#include <stdbool.h>
#include <string.h>

START_TEST(every_character_survives_the_round_trip)
{
	for (uint32_t code = 0; code <= 0x110010; code++) {
		bool valid = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
		char bytes[4];
		size_t len = utf8_encode(code, bytes);
		uint32_t back = ~0U;

		/* Assertions of libcheck are too slow for a million calls. */
		if ((len > 0) != valid)
			ck_abort_msg("U+%04X: length %zu", code, len);
		if (!valid)
			continue;
		if (utf8_decode(bytes, len, &back) != len || back != code)
			ck_abort_msg("U+%04X became U+%04X", code, back);
		/* One byte less is never a character. */
		if (len > 1 && utf8_decode(bytes, len - 1, &back) != 0)
			ck_abort_msg("U+%04X cut", code);
	}
}
END_TEST

START_TEST(malformed_bytes_are_rejected)
{
	static const struct {
		const char *name;
		const char *bytes;
	} cases[] = {
		{ "continuation alone", "\x80" },
		{ "overlong slash, 2 bytes", "\xc0\xaf" },
		{ "overlong slash, 3 bytes", "\xe0\x80\xaf" },
		{ "overlong slash, 4 bytes", "\xf0\x80\x80\xaf" },
		{ "highest overlong, 2 bytes", "\xc1\xbf" },
		{ "highest overlong, 3 bytes", "\xe0\x9f\xbf" },
		{ "highest overlong, 4 bytes", "\xf0\x8f\xbf\xbf" },
		{ "first surrogate", "\xed\xa0\x80" },
		{ "last surrogate", "\xed\xbf\xbf" },
		{ "above U+10FFFF", "\xf4\x90\x80\x80" },
		{ "five bytes", "\xf8\x88\x80\x80\x80" },
		{ "six bytes", "\xfc\x84\x80\x80\x80\x80" },
		{ "fe", "\xfe" },
		{ "ff", "\xff" },
		{ "start and ASCII", "\xc3(" },
		{ "start and start", "\xc3\xc3\xa9" },
	};
	uint32_t code = 0;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ck_assert_msg(utf8_decode(cases[i].bytes, strlen(cases[i].bytes), &code) == 0, "%s",
			      cases[i].name);
	ck_assert_uint_eq(utf8_decode("", 0, &code), 0);
}
END_TEST

START_TEST(widths_are_those_of_a_terminal)
{
	static const struct {
		const char *name;
		uint32_t code;
		int width;
	} cases[] = {
		{ "a", 'a', 1 },
		{ "space", ' ', 1 },
		{ "tilde", '~', 1 },
		{ "e acute", 0xe9, 1 },
		{ "combining acute", 0x301, 0 },
		{ "CJK", 0x4e2d, 2 },
		{ "emoji", 0x1f600, 2 },
		{ "block", 0x2588, 1 },
		{ "braille", 0x28ff, 1 },
		{ "NUL", 0, -1 },
		{ "ESC", 0x1b, -1 },
		{ "DEL", 0x7f, -1 },
		{ "C1 CSI", 0x9b, -1 },
		{ "zero-width space", 0x200b, -1 },
		{ "right-to-left mark", 0x200f, -1 },
		{ "line separator", 0x2028, -1 },
		{ "right-to-left override", 0x202e, -1 },
		{ "first strong isolate", 0x2068, -1 },
		{ "word joiner", 0x2060, -1 },
		{ "byte order mark", 0xfeff, -1 },
		{ "Arabic letter mark", 0x61c, -1 },
		{ "tag letter", 0xe0041, -1 },
		{ "interlinear annotation", 0xfff9, -1 },
		{ "Mongolian vowel separator", 0x180e, -1 },
		{ "noncharacter", 0xffff, -1 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ck_assert_msg(utf8_width(cases[i].code) == cases[i].width, "%s: %d, not %d",
			      cases[i].name, utf8_width(cases[i].code), cases[i].width);
}
END_TEST

START_TEST(text_is_cut_between_characters)
{
	/* a, e acute (2 bytes), a stray byte, a wide character (3 bytes), b, combining acute */
	static const char text[] = "a\303\251\377\344\270\255b\314\201";
	static const struct {
		int cols;
		size_t bytes;
	} cases[] = {
		{ 0, 0 }, { 1, 1 }, { 2, 3 }, { 3, 4 }, { 4, 4 }, { 5, 7 }, { 6, 10 }, { 99, 10 },
	};
	size_t len = sizeof(text) - 1;

	ck_assert_int_eq(utf8_text_width(text, len), 6);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ck_assert_msg(utf8_fit(text, len, cases[i].cols) == cases[i].bytes,
			      "%d columns: %zu bytes, not %zu", cases[i].cols,
			      utf8_fit(text, len, cases[i].cols), cases[i].bytes);
	ck_assert_int_eq(utf8_text_width("", 0), 0);
	ck_assert_uint_eq(utf8_fit(text, len, -1), 0);
}
END_TEST

Suite *suite_utf8(void);
Suite *suite_utf8(void)
{
	Suite *suite = suite_create("utf8");
	TCase *tests = tcase_create("utf8");

	tcase_add_test(tests, every_character_survives_the_round_trip);
	tcase_add_test(tests, malformed_bytes_are_rejected);
	tcase_add_test(tests, widths_are_those_of_a_terminal);
	tcase_add_test(tests, text_is_cut_between_characters);
	suite_add_tcase(suite, tests);
	return suite;
}
