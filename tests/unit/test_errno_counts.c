#include "engine/record/errno_counts.h"

#include "tests/unit/runner.h"

START_TEST(errnos_are_sorted_by_frequency)
{
	struct errno_counts counts = { 0 }, sum = { 0 };
	struct errno_count top[3];

	ck_assert_uint_eq(errno_counts_top(&counts, top, 3), 0);
	for (uint32_t round = 0; round < 3; round++)
		for (uint32_t number = 1; number <= 40; number++)
			if (number % 3 >= round)
				errno_counts_add(&counts, number, 1);
	errno_counts_add(&counts, 5, 10);
	errno_counts_add(&counts, 1000000, 4);
	ck_assert_uint_eq(errno_counts_top(&counts, top, 3), 3);
	ck_assert_uint_eq(top[0].number, 5);
	ck_assert_uint_eq(top[0].count, 13);
	ck_assert_uint_eq(top[1].number, ERRNO_COUNTS_UNKNOWN);
	ck_assert_uint_eq(top[1].count, 4);
	ck_assert_uint_eq(top[2].number, 2);
	ck_assert_uint_eq(top[2].count, 3);

	errno_counts_merge(&sum, &counts);
	errno_counts_merge(&sum, &counts);
	ck_assert_uint_eq(sum.len, 41);
	ck_assert_uint_eq(errno_counts_top(&sum, top, 1), 1);
	ck_assert_uint_eq(top[0].count, 26);
	errno_counts_release(&counts);
	errno_counts_release(&sum);
	ck_assert_uint_eq(errno_counts_top(&sum, top, 1), 0);
}
END_TEST

Suite *suite_errno_counts(void);
Suite *suite_errno_counts(void)
{
	Suite *suite = suite_create("errno_counts");
	TCase *tc = tcase_create("errno_counts");

	tcase_add_test(tc, errnos_are_sorted_by_frequency);
	suite_add_tcase(suite, tc);
	return suite;
}
