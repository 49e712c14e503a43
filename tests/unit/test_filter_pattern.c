#include "engine/base/clock.h"
#include "engine/filter/filter_pattern.h"
#include "tests/unit/runner.h"

#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct filter_pattern *pattern_of(const char *text)
{
	struct err err = { .text = "" };
	struct filter_pattern *pattern = filter_pattern_new(text, &err);

	ck_assert_msg(pattern != NULL, "%s: %s", text, err.text);
	return pattern;
}

static const struct {
	const char *pattern, *subject;
	bool yes;
} cases[] = {
	{ "^ngin[x]$", "nginx", true },
	{ "^ngin[x]$", "nginx\n", false },
	{ "a.b", "a\nb", true },
	{ "(?i)NGINX|apache", "nginx", true },
	{ "^\\d+\\.so(\\.\\d+)*$", "12.so.1.0", true },
	{ "[[:upper:]]{2}", "aBCd", true },
	{ "(a)b\\1", "aba", true },
	{ "(a)b\\1", "abb", false },
	{ "\\bfoo\\b", "a foo b", true },
	{ "\\bfoo\\b", "afoo b", false },
	{ "(?!x)^[a-z]+$", "abc", true },
	/* Patterns match bytes, unless they contain characters of several bytes. */
	{ "^..$", "\xc3\xa4", true },
	{ "^(\xc3\xa4)?.$", "\xc3\xa4", true },
	{ "^[\xc3\xa4\xc3\xb6].$", "\xc3\xb6\xc3\xa4", true },
	{ "^[\xc3\xa4\xc3\xb6].$", "\xc3\xb6x\xff", false },
	{ "[\xff]", "a\xff", true },
	{ "^a.*z$", "a\xff\xfez", true },
	{ "", "anything", true },
	{ "^$", "", true },
	{ "^$", "a", false },
};

START_TEST(patterns_have_perl_semantics)
{
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct filter_pattern *pattern = pattern_of(cases[i].pattern);
		enum pattern_answer answer = filter_pattern_match(pattern, cases[i].subject,
								  strlen(cases[i].subject));

		ck_assert_msg(answer == (cases[i].yes ? PATTERN_YES : PATTERN_NO), "%s on %s: %d",
			      cases[i].pattern, cases[i].subject, answer);
		filter_pattern_free(pattern);
	}
}
END_TEST

START_TEST(byte_0_does_not_end_a_text)
{
	static const char *const patterns[] = { "b$", "(b)$", "^a", "^(a)", "b", "(b)" };

	for (size_t i = 0; i < COUNT(patterns); i++) {
		struct filter_pattern *pattern = pattern_of(patterns[i]);

		ck_assert_int_eq(filter_pattern_match(pattern, "a\0b", 3), PATTERN_YES);
		ck_assert_int_eq(filter_pattern_match(pattern, "xx", 0), PATTERN_NO);
		filter_pattern_free(pattern);
	}
}
END_TEST

START_TEST(invalid_patterns_are_rejected)
{
	static const struct {
		const char *text, *says;
	} wrong[] = {
		{ "(", "missing closing parenthesis" },
		{ "a{2", NULL }, /* literal text */
		{ "[b-a]", "out of order" },
		{ "*", "quantifier does not follow" },
		{ "\\", "at end of pattern" },
		{ "(?C1)a", NULL },
		{ "\\C", "disabled" },
		{ "((a{999}){999}){999}", "too large" },
	};
	struct filter_pattern *pattern;
	char text[2048];
	struct err err;

	for (size_t i = 0; i < COUNT(wrong); i++) {
		pattern = filter_pattern_new(wrong[i].text, &err);
		ck_assert_msg(!pattern == (wrong[i].says != NULL), "%s", wrong[i].text);
		if (!pattern)
			ck_assert_msg(strstr(err.text, wrong[i].says), "%s", err.text);
		filter_pattern_free(pattern);
	}
	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	ck_assert_ptr_null(filter_pattern_new(text, &err));
	memset(text, '(', 200);
	memset(text + 200, ')', sizeof(text) - 201);
	text[250] = '\0';
	ck_assert_ptr_null(filter_pattern_new(text, &err));
}
END_TEST

static const char *const catastrophic[] = {
	"^(a+)+$",
	"(a|aa)+$",
	"(a*)*[bc]",
	"^(([a-z])+.)+[A-Z]([a-z])+$",
	"(.*)(.*)(.*)(.*)(.*)(.*)[^a!]$",
	"^(?:(a+)|b)*\\1[cd]$",
	"^(?:a?){64}a{4000}[cd]$",
	"(?=(a+))a*[bc]\\1",
	"a*[bc]",
	"(a|b|c)*a{1000}[cd]",
	"(?R)?[bc]|a(?R)",
};

/*
 * With the worst patterns, 100,000 texts take seconds at most. Without the bounds, one text takes
 * longer than the test timeout.
 */
START_TEST(time_is_bounded)
{
	struct filter_pattern *pattern = pattern_of(catastrophic[_i]);
	uint64_t begin_ns = clock_now_ns();
	char subject[4096];

	memset(subject, 'a', sizeof(subject));
	subject[sizeof(subject) - 1] = '!';
	for (int i = 0; i < 100000; i++)
		ck_assert_int_ne(filter_pattern_match(pattern, subject, sizeof(subject)),
				 PATTERN_YES);
	ck_assert_msg(filter_pattern_gave_up(pattern) > 90000, "%s", catastrophic[_i]);
	ck_assert_msg(clock_now_ns() - begin_ns < 20 * NS_PER_S, "%s", catastrophic[_i]);
	filter_pattern_free(pattern);
}
END_TEST

/* A pattern that often gave up is retried, and matches again. */
START_TEST(pattern_is_retried_after_giving_up)
{
	struct filter_pattern *pattern = pattern_of("^(a+)+$");
	char subject[64];
	int tries = 0;

	memset(subject, 'a', sizeof(subject));
	subject[sizeof(subject) - 1] = '!';
	ck_assert_int_eq(filter_pattern_match(pattern, "aaa", 3), PATTERN_YES);
	for (int i = 0; i < 20000; i++)
		ck_assert_int_eq(filter_pattern_match(pattern, subject, sizeof(subject)),
				 PATTERN_GAVE_UP);
	ck_assert_uint_eq(filter_pattern_gave_up(pattern), 20000);
	while (filter_pattern_match(pattern, "aaa", 3) != PATTERN_YES)
		ck_assert_int_lt(++tries, 20000);
	ck_assert_int_gt(tries, 0);
	ck_assert_int_eq(filter_pattern_match(pattern, "ab", 2), PATTERN_NO);
	filter_pattern_free(pattern);
}
END_TEST

Suite *suite_filter_pattern(void);
Suite *suite_filter_pattern(void)
{
	Suite *suite = suite_create("filter_pattern");
	TCase *tests = tcase_create("filter_pattern");

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, patterns_have_perl_semantics);
	tcase_add_test(tests, byte_0_does_not_end_a_text);
	tcase_add_test(tests, invalid_patterns_are_rejected);
	tcase_add_loop_test(tests, time_is_bounded, 0, (int)COUNT(catastrophic));
	tcase_add_test(tests, pattern_is_retried_after_giving_up);
	suite_add_tcase(suite, tests);
	return suite;
}
