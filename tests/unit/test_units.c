#include "engine/base/units.h"

#include "tests/unit/runner.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

struct format_case {
	uint64_t value;
	const char *expected;
};

static void check_formats(char *(*format)(char *, uint64_t), const struct format_case *cases,
			  size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char out[UNITS_TEXT_BYTES];

		ck_assert_ptr_eq(format(out, cases[i].value), out);
		ck_assert_msg(!strcmp(out, cases[i].expected), "%" PRIu64 ": %s, not %s",
			      cases[i].value, out, cases[i].expected);
	}
}

START_TEST(times_have_three_digits)
{
	static const struct format_case cases[] = {
		{ 0, "0ns" },
		{ 412, "412ns" },
		{ 999, "999ns" },
		{ 1000, "1.00us" },
		{ 1349, "1.35us" },
		{ 9994, "9.99us" },
		{ 9995, "10.0us" },
		{ 12345678, "12.3ms" },
		{ 99949999, "99.9ms" },
		{ 99950000, "100ms" },
		{ 999499999, "999ms" },
		{ 999500000, "1.00s" },
		{ 3210000000, "3.21s" },
		{ 59949999999, "59.9s" },
		{ 59950000000, "1m00s" },
		{ 245000000000, "4m05s" },
		{ 3599499999999, "59m59s" },
		{ 3599500000000, "1h00m" },
		{ 7800000000000, "2h10m" },
		{ 86400000000000, "1d00h" },
		{ 273600000000000, "3d04h" },
		{ UINT64_MAX, "213503d23h" },
	};

	check_formats(units_format_ns, cases, COUNT_OF(cases));
}
END_TEST

START_TEST(counts_have_three_digits)
{
	static const struct format_case cases[] = {
		{ 0, "0" },
		{ 999, "999" },
		{ 1000, "1.00k" },
		{ 1354, "1.35k" },
		{ 91200, "91.2k" },
		{ 182000, "182k" },
		{ 999499, "999k" },
		{ 999500, "1.00M" },
		{ 1020000, "1.02M" },
		{ 1000000000, "1.00G" },
		{ UINT64_MAX, "18.4E" },
	};

	check_formats(units_format_count, cases, COUNT_OF(cases));
}
END_TEST

START_TEST(sizes_are_powers_of_1024)
{
	static const struct format_case cases[] = {
		{ 0, "0B" },
		{ 512, "512B" },
		{ 1023, "1023B" },
		{ 1024, "1.0K" },
		{ 4096, "4.0K" },
		{ 10188, "9.9K" },
		{ 10239, "10K" },
		{ 1048575, "1.0M" },
		{ 1048576, "1.0M" },
		{ 64ULL << 20, "64M" },
		{ 1288490189, "1.2G" },
		{ UINT64_MAX, "16E" },
	};

	check_formats(units_format_bytes, cases, COUNT_OF(cases));
}
END_TEST

START_TEST(lower_bounds_are_marked)
{
	static const struct format_case cases[] = {
		{ 0, "?" },
		{ 999, ">999ns" },
		{ 12345678, ">12.3ms" },
		{ UINT64_MAX, NULL },
	};
	char out[UNITS_TEXT_BYTES], whole[UNITS_TEXT_BYTES];

	check_formats(units_format_at_least_ns, cases, COUNT_OF(cases) - 1);
	ck_assert_str_eq(units_format_at_least_ns(out, UINT64_MAX) + 1,
			 units_format_ns(whole, UINT64_MAX));
}
END_TEST

START_TEST(formats_are_narrow)
{
	static const struct {
		const char *name;
		char *(*format)(char *, uint64_t);
		size_t width;
	} kinds[] = {
		{ "ns", units_format_ns, 6 },
		{ "count", units_format_count, 5 },
		{ "bytes", units_format_bytes, 5 },
	};
	unsigned int seed = 3;

	for (unsigned int i = 0; i < 200000; i++) {
		char out[UNITS_TEXT_BYTES];
		/* Times of a day or more can be wider; they are skipped. */
		uint64_t value = ((uint64_t)rand_r(&seed) << 31 | (uint64_t)rand_r(&seed)) >>
				 (rand_r(&seed) % 62);

		for (size_t k = 0; k < COUNT_OF(kinds); k++) {
			if (k == 0 && value >= 86400ULL * 1000000000)
				continue;
			kinds[k].format(out, value);
			if (strlen(out) > kinds[k].width)
				ck_abort_msg("%s %" PRIu64 ": %s", kinds[k].name, value, out);
		}
	}
}
END_TEST

START_TEST(per_cent_has_one_decimal_below_ten)
{
	static const struct {
		uint64_t part, whole;
		const char *expected;
	} cases[] = {
		{ 0, 0, "0" },
		{ 5, 0, "0" },
		{ 0, 7, "0" },
		{ 1, 1000, "0.1" },
		{ 1, 100000, "0.0" },
		{ 7, 100, "7.0" },
		{ 994, 10000, "9.9" },
		{ 996, 10000, "10" },
		{ 1, 3, "33" },
		{ 1, 1, "100" },
		{ UINT64_MAX, UINT64_MAX, "100" },
		{ 1, UINT64_MAX, "0.0" },
	};
	char out[UNITS_TEXT_BYTES];

	for (size_t i = 0; i < COUNT_OF(cases); i++)
		ck_assert_msg(!strcmp(units_format_percent(out, cases[i].part, cases[i].whole),
				      cases[i].expected),
			      "%" PRIu64 " of %" PRIu64 ": %s, not %s", cases[i].part,
			      cases[i].whole, out, cases[i].expected);
	/* A text that is wider than any column is still inside the buffer. */
	units_format_percent(out, UINT64_MAX, 1);
	ck_assert_uint_lt(strlen(out), UNITS_TEXT_BYTES);
}
END_TEST

struct parse_case {
	const char *text;
	int code;
	uint64_t value;
};

static void check_parse(const struct parse_case *c, int code, uint64_t value, const struct err *err)
{
	ck_assert_msg(code == c->code, "'%s': %d (%s), not %d", c->text, code, err->text, c->code);
	ck_assert_msg(value == c->value, "'%s': %" PRIu64 ", not %" PRIu64, c->text, value,
		      c->value);
	ck_assert_msg(code == 0 || err->text[0], "'%s': refused without a message", c->text);
	for (const char *at = err->text; *at; at++)
		ck_assert_msg((unsigned char)*at >= ' ', "'%s': control character in the message",
			      c->text);
}

#define UNTOUCHED 77

START_TEST(durations_are_read_with_their_units)
{
	static const struct parse_case cases[] = {
		{ "0ns", 0, 0 },
		{ "10ms", 0, 10000000 },
		{ "1.5 s", 0, 1500000000 },
		{ "250us", 0, 250000 },
		{ "250\302\265s", 0, 250000 },
		{ "3m", 0, 180000000000 },
		{ "3min", 0, 180000000000 },
		{ "1h", 0, 3600000000000 },
		{ "1d", 0, 86400000000000 },
		{ "0.1ms", 0, 100000 },
		{ "0.000000001s", 0, 1 },
		{ "1.9999999999999s", 0, 1999999999 },
		{ "7", 0, 7000000 },
		{ "0.5", 0, 500000 },
		{ "18446744073709551615ns", 0, UINT64_MAX },
		{ "18446744073709551616ns", -ERANGE, UNTOUCHED },
		{ "18446744074s", -ERANGE, UNTOUCHED },
		{ "99999999999999999999999999999999ns", -ERANGE, UNTOUCHED },
		{ "", -EINVAL, UNTOUCHED },
		{ "ms", -EINVAL, UNTOUCHED },
		{ "-1ms", -EINVAL, UNTOUCHED },
		{ "+1ms", -EINVAL, UNTOUCHED },
		{ " 1ms", -EINVAL, UNTOUCHED },
		{ "1.ms", -EINVAL, UNTOUCHED },
		{ ".5ms", -EINVAL, UNTOUCHED },
		{ "1e3ms", -EINVAL, UNTOUCHED },
		{ "1ms2", -EINVAL, UNTOUCHED },
		{ "1 ms ", -EINVAL, UNTOUCHED },
		{ "1parsec", -EINVAL, UNTOUCHED },
		{ "1\033[2J", -EINVAL, UNTOUCHED },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct err err = { "" };
		uint64_t ns = UNTOUCHED;
		int code = units_parse_duration(cases[i].text, 1000000, &ns, &err);

		check_parse(&cases[i], code, ns, &err);
	}
}
END_TEST

START_TEST(an_ambiguous_duration_without_a_unit_is_refused)
{
	struct err err = { "" };
	uint64_t ns = UNTOUCHED;

	ck_assert_int_eq(units_parse_duration("7", 0, &ns, &err), -EINVAL);
	ck_assert_ptr_nonnull(strstr(err.text, "unit"));
	ck_assert_uint_eq(ns, UNTOUCHED);
	ck_assert_int_eq(units_parse_duration("7", 0, &ns, NULL), -EINVAL);
}
END_TEST

START_TEST(sizes_are_read_with_their_units)
{
	static const struct parse_case cases[] = {
		{ "0", 0, 0 },
		{ "4096", 0, 4096 },
		{ "4096B", 0, 4096 },
		{ "64K", 0, 65536 },
		{ "64k", 0, 65536 },
		{ "64KiB", 0, 65536 },
		{ "64KB", 0, 65536 },
		{ "16M", 0, 16777216 },
		{ "1G", 0, 1073741824 },
		{ "1.5G", 0, 1610612736 },
		{ "15E", 0, 15ULL << 60 },
		{ "16E", -ERANGE, UNTOUCHED },
		{ "18446744073709551616", -ERANGE, UNTOUCHED },
		{ "", -EINVAL, UNTOUCHED },
		{ "K", -EINVAL, UNTOUCHED },
		{ "1.5", -EINVAL, UNTOUCHED },
		{ "1.5B", -EINVAL, UNTOUCHED },
		{ "-1", -EINVAL, UNTOUCHED },
		{ "1Ki", -EINVAL, UNTOUCHED },
		{ "1KK", -EINVAL, UNTOUCHED },
		{ "1 K", -EINVAL, UNTOUCHED },
		{ "1X", -EINVAL, UNTOUCHED },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct err err = { "" };
		uint64_t bytes = UNTOUCHED;
		int code = units_parse_size(cases[i].text, &bytes, &err);

		check_parse(&cases[i], code, bytes, &err);
	}
}
END_TEST

START_TEST(numbers_are_decimal_and_in_range)
{
	static const struct parse_case cases[] = {
		{ "5", 0, 5 },
		{ "005", 0, 5 },
		{ "100", 0, 100 },
		{ "4", -ERANGE, UNTOUCHED },
		{ "101", -ERANGE, UNTOUCHED },
		{ "18446744073709551621", -ERANGE, UNTOUCHED },
		{ "", -EINVAL, UNTOUCHED },
		{ "-5", -EINVAL, UNTOUCHED },
		{ "0x10", -EINVAL, UNTOUCHED },
		{ "5.0", -EINVAL, UNTOUCHED },
		{ "5 ", -EINVAL, UNTOUCHED },
		{ " 5", -EINVAL, UNTOUCHED },
		{ "5,6", -EINVAL, UNTOUCHED },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct err err = { "" };
		uint64_t value = UNTOUCHED;
		int code = units_parse_number(cases[i].text, 5, 100, &value, &err);

		check_parse(&cases[i], code, value, &err);
	}
}
END_TEST

Suite *suite_units(void);
Suite *suite_units(void)
{
	Suite *suite = suite_create("units");
	TCase *tests = tcase_create("units");

	tcase_add_test(tests, times_have_three_digits);
	tcase_add_test(tests, counts_have_three_digits);
	tcase_add_test(tests, sizes_are_powers_of_1024);
	tcase_add_test(tests, lower_bounds_are_marked);
	tcase_add_test(tests, formats_are_narrow);
	tcase_add_test(tests, per_cent_has_one_decimal_below_ten);
	tcase_add_test(tests, durations_are_read_with_their_units);
	tcase_add_test(tests, an_ambiguous_duration_without_a_unit_is_refused);
	tcase_add_test(tests, sizes_are_read_with_their_units);
	tcase_add_test(tests, numbers_are_decimal_and_in_range);
	suite_add_tcase(suite, tests);
	return suite;
}
