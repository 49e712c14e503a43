#include "tui/session/time_text.h"

#include "engine/base/clock.h"
#include "tests/unit/runner.h"

#include <errno.h>
#include <string.h>

#define AT (10 * NS_PER_S)
#define LENGTH (100 * NS_PER_S)

static const struct {
	const char *text;
	uint64_t ns;
} times[] = {
	{ "12.345", 12345 * NS_PER_MS },
	{ " 12.345s ", 12345 * NS_PER_MS },
	{ "0", 0 },
	{ "850ms", 850 * NS_PER_MS },
	{ "1m", 60 * NS_PER_S },
	{ "1:30", 90 * NS_PER_S },
	{ "0:01:30.5", 90500 * NS_PER_MS },
	{ "0:00", 0 },
	{ "+3s", 13 * NS_PER_S },
	{ "+ 3", 13 * NS_PER_S },
	{ "-500ms", 9500 * NS_PER_MS },
	{ "-20", 0 },
	{ "+1h", LENGTH },
	{ "+9000000000", LENGTH },
	{ "+10%", 20 * NS_PER_S },
	{ "50%", 50 * NS_PER_S },
	{ "0%", 0 },
	{ "100%", LENGTH },
	{ "12.5%", 12500 * NS_PER_MS },
};

/* clang-format off */
static const char *const no_times[] = {
	"", " ", "+", "-", "abc", "12x", "1:", ":30", "1:60", "1:-3", "1::3", "%", "101%", "-%",
	"++3", "+-3", "3 4", "1e", "nan", "inf%", "99999999999999999999", "1.2.3", "0x10%", "1,5",
	"1:2:", "-1:x", "\033[2J",
	"0000000000000000000000000000000000000000000000000000000000000001",
};
/* clang-format on */

START_TEST(typed_times_are_parsed)
{
	uint64_t ns = 7;
	struct err err;

	ck_assert_msg(!time_text_parse(times[_i].text, AT, LENGTH, &ns, &err), "%s: %s",
		      times[_i].text, err.text);
	ck_assert_msg(ns == times[_i].ns, "%s: %lu", times[_i].text, (unsigned long)ns);
}
END_TEST

START_TEST(invalid_times_are_refused)
{
	uint64_t ns = 7;
	struct err err;

	ck_assert_msg(time_text_parse(no_times[_i], AT, LENGTH, &ns, &err) == -EINVAL, "'%s': %lu",
		      no_times[_i], (unsigned long)ns);
	ck_assert_uint_eq(ns, 7);
	ck_assert_ptr_nonnull(strstr(err.text, "12.345"));
	ck_assert_ptr_null(strchr(err.text, '\033'));
}
END_TEST

START_TEST(a_time_beyond_the_end_names_the_end)
{
	uint64_t ns = 7;
	struct err err;

	ck_assert_int_eq(time_text_parse("100.001", AT, LENGTH, &ns, &err), -ERANGE);
	ck_assert_str_eq(err.text, "the recording ends at 100.000s");
	ck_assert_int_eq(time_text_parse("1:41", AT, LENGTH, &ns, &err), -ERANGE);
	ck_assert_uint_eq(ns, 7);
	ck_assert(!time_text_parse("100", AT, LENGTH, &ns, &err));
}
END_TEST

START_TEST(times_have_the_requested_precision)
{
	static const struct {
		uint64_t ns, step_ns;
		const char *text;
	} cases[] = {
		{ 12345678901, NS_PER_S, "12s" },
		{ 12345678901, NS_PER_S - 1, "12.345s" },
		{ 12345678901, NS_PER_MS, "12.345s" },
		{ 12345678901, 300000, "12.345678s" },
		{ 12345678901, NS_PER_US, "12.345678s" },
		{ 12345678901, 10, "12.345678901s" },
		{ 12345678901, 0, "12.345678901s" },
		{ 5000000, NS_PER_MS, "0.005s" },
		{ UINT64_MAX, 1, "18446744073.709551615s" },
	};
	char text[TIME_TEXT_BYTES];

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ck_assert_str_eq(time_text_format(text, cases[i].ns, cases[i].step_ns),
				 cases[i].text);
}
END_TEST

Suite *suite_time_text(void);

Suite *suite_time_text(void)
{
	Suite *suite = suite_create("time_text");
	TCase *tcase = tcase_create("time_text");

	tcase_add_loop_test(tcase, typed_times_are_parsed, 0,
			    (int)(sizeof(times) / sizeof(*times)));
	tcase_add_loop_test(tcase, invalid_times_are_refused, 0,
			    (int)(sizeof(no_times) / sizeof(*no_times)));
	tcase_add_test(tcase, a_time_beyond_the_end_names_the_end);
	tcase_add_test(tcase, times_have_the_requested_precision);
	suite_add_tcase(suite, tcase);
	return suite;
}
