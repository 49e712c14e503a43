#include "engine/access.h"

#include "tests/unit/runner.h"

#include <string.h>

START_TEST(every_row_says_what_it_means)
{
	struct access_row rows[ACCESS_COUNT];

	access_table(rows);
	for (size_t i = 0; i < ACCESS_COUNT; i++) {
		ck_assert_uint_eq(rows[i].id, i);
		ck_assert(rows[i].what[0] != '\0');
		ck_assert_msg(rows[i].works == !rows[i].why[0], "%s: %s", rows[i].what,
			      rows[i].why);
		ck_assert_msg(!rows[i].works || !rows[i].grant[0], "%s works and needs: %s",
			      rows[i].what, rows[i].grant);
	}
}
END_TEST

START_TEST(enough_is_all_calls)
{
	struct access_row rows[ACCESS_COUNT];

	memset(rows, 0, sizeof(rows));
	ck_assert(!access_is_enough(rows));
	rows[ACCESS_TRACEFS].works = true;
	rows[ACCESS_OWN_CALLS].works = true;
	ck_assert(!access_is_enough(rows));
	rows[ACCESS_ALL_CALLS].works = true;
	ck_assert(access_is_enough(rows));
	/* Programs do without. */
	rows[ACCESS_TRACEFS].works = false;
	ck_assert(access_is_enough(rows));
}
END_TEST

START_TEST(plans_are_of_what_works)
{
	struct access_row rows[ACCESS_COUNT];
	struct access_plan plans[ACCESS_PLANS];

	memset(rows, 0, sizeof(rows));
	rows[ACCESS_BPF].works = true;
	ck_assert_uint_eq(access_plans(rows, plans), 0);
	rows[ACCESS_OWN_CALLS].works = true;
	rows[ACCESS_KERNEL_STACKS].works = true;
	ck_assert_uint_eq(access_plans(rows, plans), 3);
	ck_assert_ptr_nonnull(strstr(plans[1].probes, "at every call"));
	rows[ACCESS_KERNEL_STACKS].works = false;
	rows[ACCESS_TRACEFS].works = true;
	ck_assert_uint_eq(access_plans(rows, plans), 3);
	ck_assert_ptr_nonnull(strstr(plans[1].probes, "BPF programs at these calls"));
	rows[ACCESS_BPF].works = false;
	rows[ACCESS_KERNEL_STACKS].works = true;
	ck_assert_uint_eq(access_plans(rows, plans), 4);
	ck_assert_ptr_nonnull(strstr(plans[0].probes, "raw_syscalls"));
	ck_assert_ptr_null(strstr(plans[3].probes, "wakings"));
	rows[ACCESS_WAKERS].works = true;
	ck_assert_uint_eq(access_plans(rows, plans), 4);
	ck_assert_ptr_nonnull(strstr(plans[3].probes, "wakings"));
}
END_TEST

Suite *suite_access(void);
Suite *suite_access(void)
{
	Suite *suite = suite_create("access");
	TCase *tc = tcase_create("access");

	tcase_add_test(tc, every_row_says_what_it_means);
	tcase_add_test(tc, enough_is_all_calls);
	tcase_add_test(tc, plans_are_of_what_works);
	suite_add_tcase(suite, tc);
	return suite;
}
