#include "engine/base/str.h"

#include "tests/unit/runner.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Check what holds for every str at any time. */
static void check_invariant(const struct str *s)
{
	ck_assert_ptr_nonnull(s->data);
	ck_assert_int_eq(s->data[s->len], '\0');
	ck_assert(s->cap == 0 ? s->data == str_empty_data && s->len == 0 : s->len < s->cap);
}

START_TEST(the_empty_string_is_shared_and_never_written)
{
	struct str s = STR_INIT;

	check_invariant(&s);
	str_clear(&s);
	str_cut(&s, 0);
	str_addn(&s, "", 0);
	str_repeat(&s, 'x', 0);
	str_release(&s);
	check_invariant(&s);
	ck_assert_int_eq(str_empty_data[0], '\0');
}
END_TEST

START_TEST(adding_keeps_everything_in_order)
{
	struct str s = STR_INIT;

	str_add(&s, "ab");
	str_addc(&s, 'c');
	str_addn(&s, "d\0e", 3);
	str_repeat(&s, '-', 2);
	str_addf(&s, "%s=%d", "n", -1);
	check_invariant(&s);
	ck_assert_uint_eq(s.len, 12);
	ck_assert_mem_eq(s.data, "abcd\0e--n=-1", 13);
	str_cut(&s, 3);
	ck_assert_str_eq(s.data, "abc");
	str_cut(&s, 10);
	ck_assert_uint_eq(s.len, 3);
	str_clear(&s);
	check_invariant(&s);
	str_add(&s, "again");
	ck_assert_str_eq(s.data, "again");
	str_release(&s);
}
END_TEST

START_TEST(growth_by_single_bytes_loses_none)
{
	struct str s = STR_INIT;

	for (unsigned int i = 0; i < 100000; i++)
		str_addc(&s, (char)('a' + i % 26));
	check_invariant(&s);
	ck_assert_uint_eq(s.len, 100000);
	for (unsigned int i = 0; i < 100000; i++)
		ck_assert_int_eq(s.data[i], 'a' + i % 26);
	str_release(&s);
}
END_TEST

START_TEST(text_longer_than_the_room_is_formatted_again)
{
	struct str s = STR_INIT;

	/* Widths around every size at which the first vsnprintf() just fits or does not. */
	for (int width = 1; width < 600; width++) {
		str_clear(&s);
		str_addf(&s, "%*d", width, 7);
		check_invariant(&s);
		ck_assert_uint_eq(s.len, (size_t)width);
		ck_assert_int_eq(s.data[width - 1], '7');
	}
	str_release(&s);
}
END_TEST

START_TEST(reserve_leaves_the_text_alone)
{
	struct str s = STR_INIT;

	str_reserve(&s, 10);
	check_invariant(&s);
	ck_assert_uint_eq(s.len, 0);
	str_add(&s, "keep");
	str_reserve(&s, 5000);
	check_invariant(&s);
	ck_assert_uint_ge(s.cap, 5005);
	ck_assert_str_eq(s.data, "keep");
	str_release(&s);
}
END_TEST

START_TEST(steal_hands_out_heap_memory_also_when_empty)
{
	struct str s = STR_INIT;
	char *text = str_steal(&s);

	ck_assert_str_eq(text, "");
	ck_assert_ptr_ne(text, str_empty_data);
	free(text);
	str_add(&s, "gift");
	text = str_steal(&s);
	ck_assert_str_eq(text, "gift");
	check_invariant(&s);
	ck_assert_uint_eq(s.cap, 0);
	free(text);
}
END_TEST

/* clang-format off */
START_TEST(numbers_are_formatted_as_by_printf)
{
	static const unsigned long long values[] = {
		0, 1, 9, 10, 15, 16, 99, 100, 255, 4096, 1234567890, INT_MAX, UINT_MAX,
		LLONG_MAX, (unsigned long long)LLONG_MIN, ULLONG_MAX, ULLONG_MAX - 1,
	};
	struct str s = STR_INIT;
	char expected[64];

	/* clang-format on */
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		str_clear(&s);
		str_addu(&s, values[i]);
		snprintf(expected, sizeof(expected), "%llu", values[i]);
		ck_assert_str_eq(s.data, expected);
		str_clear(&s);
		str_addd(&s, (long long)values[i]);
		snprintf(expected, sizeof(expected), "%lld", (long long)values[i]);
		ck_assert_str_eq(s.data, expected);
		str_clear(&s);
		str_addx(&s, values[i]);
		snprintf(expected, sizeof(expected), "%#llx", values[i]);
		ck_assert_str_eq(s.data, expected);
	}
	str_release(&s);
}
END_TEST

Suite *suite_str(void);
Suite *suite_str(void)
{
	Suite *suite = suite_create("str");
	TCase *tests = tcase_create("str");

	tcase_add_test(tests, the_empty_string_is_shared_and_never_written);
	tcase_add_test(tests, adding_keeps_everything_in_order);
	tcase_add_test(tests, growth_by_single_bytes_loses_none);
	tcase_add_test(tests, text_longer_than_the_room_is_formatted_again);
	tcase_add_test(tests, reserve_leaves_the_text_alone);
	tcase_add_test(tests, steal_hands_out_heap_memory_also_when_empty);
	tcase_add_test(tests, numbers_are_formatted_as_by_printf);
	suite_add_tcase(suite, tests);
	return suite;
}
