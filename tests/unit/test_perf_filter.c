#include "engine/source/perf/perf_filter.h"

#include "tests/unit/runner.h"

#include <stdlib.h>
#include <string.h>

static void allow(struct kernel_filter *filter, const uint32_t *numbers, size_t count)
{
	kernel_filter_init(filter);
	filter->by_syscall = true;
	for (size_t i = 0; i < count; i++)
		kernel_filter_allow(filter, numbers[i]);
}

/* Evaluate a filter string for an id, in either form. */
static bool passes(const char *text, long id)
{
	/* Allowed numbers are terms joined by ||, excluded ones terms joined by &&. */
	bool any = false, all = true;
	bool is_or = strstr(text, "==") || strstr(text, "<=") || strstr(text, ">=");
	const char *at = text + 1;
	char *end;

	if (!*text)
		return true;
	while (*at && *at != ')') {
		bool pair = *at == '(', term = false, term_and = true, first = true;

		at += pair;
		do {
			char op[3] = "";
			long number;
			bool result;

			if (!first)
				at += strspn(at, " |&");
			/* ck_assert() makes a system call: too slow for a million checks. */
			if (strncmp(at, "id ", 3))
				ck_abort_msg("cannot parse %s at %s", text, at);
			at += 3;
			memcpy(op, at, strcspn(at, " "));
			at += strcspn(at, " ") + 1;
			number = strtol(at, &end, 10);
			at = end;
			result = !strcmp(op, "==")   ? id == number
				 : !strcmp(op, "!=") ? id != number
				 : !strcmp(op, "<=") ? id <= number
				 : !strcmp(op, ">=") ? id >= number
				 : !strcmp(op, "<")  ? id < number
						     : id > number;
			term = term || result;
			term_and = term_and && result;
			first = false;
		} while (pair && *at != ')');
		/* Inside a pair, the operator is the one that is not used around the pair. */
		if (pair && is_or)
			term = term_and;
		at += pair;
		any = any || term;
		all = all && term;
		at += strspn(at, " |&");
	}
	return is_or ? any : all;
}

START_TEST(strings_are_as_short_as_they_can_be)
{
	static const struct {
		const char *name;
		uint32_t numbers[8];
		size_t count;
		const char *text;
	} cases[] = {
		{ "one", { 202 }, 1, "(id == 202 || id >= 1024 || id < 0)" },
		{ "two", { 202, 7 }, 2, "(id == 7 || id == 202 || id >= 1024 || id < 0)" },
		{ "a run",
		  { 3, 4, 5, 9 },
		  4,
		  "((id >= 3 && id <= 5) || id == 9 || id >= 1024 || id < 0)" },
		{ "from the lowest", { 0, 1 }, 2, "(id <= 1 || id >= 1024)" },
		{ "up to the highest", { 1023 }, 1, "(id >= 1023 || id < 0)" },
		{ "none", { 0 }, 0, "(id >= 1024 || id < 0)" },
	};
	struct str text = STR_INIT;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct kernel_filter filter;

		allow(&filter, cases[i].numbers, cases[i].count);
		perf_filter_format(&text, &filter, NULL, 0);
		ck_assert_msg(!strcmp(text.data, cases[i].text), "%s: %s", cases[i].name,
			      text.data);
	}
	str_release(&text);
}
END_TEST

START_TEST(few_excluded_numbers_are_written_as_exclusions)
{
	struct kernel_filter filter;
	struct str text = STR_INIT;

	kernel_filter_init(&filter);
	perf_filter_format(&text, &filter, NULL, 0);
	ck_assert_str_eq(text.data, "");
	filter.by_syscall = true;
	memset(filter.syscalls, 0xff, sizeof(filter.syscalls));
	perf_filter_format(&text, &filter, NULL, 0);
	ck_assert_str_eq(text.data, "");
	filter.syscalls[0] = 0xfe;
	filter.syscalls[2] = 0xf0;
	perf_filter_format(&text, &filter, NULL, 0);
	ck_assert_str_eq(text.data, "(id != 0 && (id < 16 || id > 19))");
	str_release(&text);
}
END_TEST

START_TEST(threads_are_excluded_as_long_as_there_is_room)
{
	static const uint32_t numbers[] = { 202 };
	uint32_t tids[1000];
	struct kernel_filter filter;
	struct str text = STR_INIT;

	allow(&filter, numbers, 1);
	tids[0] = 41;
	tids[1] = 42;
	perf_filter_format(&text, &filter, tids, 2);
	ck_assert_str_eq(text.data, "(id == 202 || id >= 1024 || id < 0) && common_pid != 41 && "
				    "common_pid != 42");
	kernel_filter_init(&filter);
	perf_filter_format(&text, &filter, tids, 1);
	ck_assert_str_eq(text.data, "common_pid != 41");
	for (uint32_t i = 0; i < 1000; i++)
		tids[i] = 1000000 + i;
	perf_filter_format(&text, &filter, tids, 1000);
	ck_assert_uint_lt(text.len, PERF_FILTER_BYTES);
	ck_assert_uint_gt(text.len, PERF_FILTER_BYTES - 64);
	ck_assert_int_ne(text.data[text.len - 1], ' ');
	str_release(&text);
}
END_TEST

START_TEST(every_allowed_number_passes_the_string)
{
	struct str text = STR_INIT;

	srandom(3); /* fixed seed; the share of allowed numbers grows from 1 % to 100 % */
	for (int round = 0; round < 12; round++) {
		struct kernel_filter filter;
		long density = 1 + round * 9;

		allow(&filter, NULL, 0);
		for (uint32_t nr = 0; nr < SYSCALL_NR_MAX; nr++)
			if (random() % 100 < density)
				kernel_filter_allow(&filter, nr);
		perf_filter_format(&text, &filter, NULL, 0);
		ck_assert_uint_lt(text.len, PERF_FILTER_BYTES);
		for (long id = -1; id < SYSCALL_NR_MAX + 2; id++) {
			bool wanted = kernel_filter_allows(&filter, (uint32_t)id);

			if (wanted && !passes(text.data, id))
				ck_abort_msg("density %ld: %ld not in %s", density, id, text.data);
			if (!wanted && (density < 10 || density > 90) && passes(text.data, id))
				ck_abort_msg("density %ld: %ld in %s", density, id, text.data);
		}
	}
	str_release(&text);
}
END_TEST

Suite *suite_perf_filter(void);
Suite *suite_perf_filter(void)
{
	Suite *suite = suite_create("perf_filter");
	TCase *tc = tcase_create("perf_filter");

	tcase_add_test(tc, strings_are_as_short_as_they_can_be);
	tcase_add_test(tc, few_excluded_numbers_are_written_as_exclusions);
	tcase_add_test(tc, threads_are_excluded_as_long_as_there_is_room);
	tcase_add_test(tc, every_allowed_number_passes_the_string);
	suite_add_tcase(suite, tc);
	return suite;
}
