#include "tests/unit/runner.h"

#include "engine/recording/long_calls.h"

#include <stdlib.h>

#define MB ((uint64_t)1 << 20)

static struct long_calls calls;

static void setup(void)
{
	long_calls_init(&calls, 10 * MB);
}

static void teardown(void)
{
	long_calls_release(&calls);
}

static void check_across(uint64_t at, size_t count, bool incomplete)
{
	struct long_calls_across across;
	bool sound = true;

	long_calls_find(&calls, at, &across);
	ck_assert_uint_eq(across.count, count);
	ck_assert_int_eq(across.incomplete, incomplete);
	for (size_t i = 0; i < across.count; i++)
		sound = sound && place_at(across.places[i]) < at &&
			(!i || across.places[i - 1] <= across.places[i]);
	ck_assert(sound);
	free(across.places);
}

START_TEST(calls_across_a_place_are_found_with_their_records)
{
	long_calls_begin(&calls, 7, place_of(MB, 0), 100);
	long_calls_go_on(&calls, 7, place_of(MB + 64, 0));
	long_calls_begin(&calls, 8, place_of(2 * MB, 3), 200);
	long_calls_go_on(&calls, 9, place_of(2 * MB, 4)); /* not in a call */
	check_across(5 * MB, 3, false);
	check_across(MB + 8, 1, false);
	check_across(MB, 0, false);
	/* A short finished call is dropped; a long one is found within its span. */
	long_calls_end(&calls, 8, place_of(4 * MB, 0), 300);
	long_calls_end(&calls, 7, place_of(20 * MB, 0), 400);
	check_across(3 * MB, 2, false);
	check_across(20 * MB, 2, false);
	check_across(20 * MB + 8, 0, false);
}
END_TEST

START_TEST(an_enter_older_than_the_last_exit_begins_no_call)
{
	/* The exit was read first, from another buffer, although the enter is older. */
	long_calls_begin(&calls, 7, place_of(MB, 0), 100);
	long_calls_end(&calls, 7, place_of(2 * MB, 0), 300);
	long_calls_begin(&calls, 7, place_of(3 * MB, 0), 200);
	check_across(30 * MB, 0, false);
	long_calls_begin(&calls, 7, place_of(4 * MB, 0), 301);
	check_across(30 * MB, 1, false);
}
END_TEST

START_TEST(of_many_records_the_first_and_the_last_stay)
{
	struct long_calls_across across;

	long_calls_begin(&calls, 7, place_of(0, 0), 100);
	for (uint64_t i = 1; i <= 1000; i++)
		long_calls_go_on(&calls, 7, place_of(i * 64, 0));
	long_calls_find(&calls, 30 * MB, &across);
	ck_assert_uint_eq(across.count, LONG_CALL_PLACES);
	ck_assert(across.incomplete);
	ck_assert_uint_eq(place_at(across.places[0]), 0);
	ck_assert_uint_eq(place_at(across.places[1]), 64);
	ck_assert_uint_eq(place_at(across.places[across.count - 1]), 64000);
	free(across.places);
}
END_TEST

START_TEST(of_too_many_calls_the_longer_ones_stay)
{
	const uint64_t count = 3 * LONG_CALLS_MAX;

	for (uint64_t i = 0; i < count; i++) {
		bool longer = i % 64 == 0;

		long_calls_begin(&calls, 7, place_of(i * 64, 0), 0);
		long_calls_end(&calls, 7, place_of(i * 64 + (longer ? 900 : 11) * MB, 0), 0);
	}
	ck_assert_uint_le(calls.count, LONG_CALLS_MAX);
	ck_assert_uint_gt(calls.bytes, 11 * MB);
	check_across(800 * MB, count / 64, false);
}
END_TEST

START_TEST(threads_are_bounded_with_a_note)
{
	for (uint32_t i = 0; i < LONG_CALLS_MAX; i++)
		long_calls_begin(&calls, i + 1, place_of(i, 0), 0);
	check_across(30 * MB, LONG_CALLS_MAX, false);
	long_calls_begin(&calls, UINT32_MAX, place_of(MB, 0), 0);
	ck_assert_uint_eq(calls.threads.count, LONG_CALLS_MAX);
	check_across(30 * MB, LONG_CALLS_MAX, true);
}
END_TEST

Suite *suite_long_calls(void);

Suite *suite_long_calls(void)
{
	Suite *suite = suite_create("long_calls");
	TCase *tcase = tcase_create("long_calls");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, calls_across_a_place_are_found_with_their_records);
	tcase_add_test(tcase, an_enter_older_than_the_last_exit_begins_no_call);
	tcase_add_test(tcase, of_many_records_the_first_and_the_last_stay);
	tcase_add_test(tcase, of_too_many_calls_the_longer_ones_stay);
	tcase_add_test(tcase, threads_are_bounded_with_a_note);
	suite_add_tcase(suite, tcase);
	return suite;
}
