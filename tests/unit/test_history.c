#include "engine/model/history.h"

#include "tests/unit/runner.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SMALL (HISTORY_CALLS_MIN * sizeof(struct call))

static struct history *make(size_t bytes)
{
	struct history *history = NULL;
	struct err err;

	ck_assert_int_eq(history_new(&history, bytes, &err), 0);
	return history;
}

static void put(struct history *history, uint64_t mark)
{
	struct call call = { .enter_ns = mark, .state = CALL_DONE };

	history_put(history, &call, NULL);
}

/* Every sequence number, present or not, must give what was put under it. */
static void check_all(const struct history *history, uint64_t puts, uint64_t capacity)
{
	uint64_t first = puts > capacity ? puts - capacity : 0;

	ck_assert_uint_eq(history_end(history), puts);
	ck_assert_uint_eq(history_first(history), first);
	for (uint64_t seq = 0; seq < puts + 2; seq++) {
		const struct call *call = history_get(history, seq);

		if ((call != NULL) != (seq >= first && seq < puts))
			ck_abort_msg("%lu of %lu", (unsigned long)seq, (unsigned long)puts);
		if (call && call->enter_ns != seq)
			ck_abort_msg("%lu holds %lu", (unsigned long)seq,
				     (unsigned long)call->enter_ns);
	}
}

START_TEST(oldest_out_first)
{
	/* Neither a power of two nor a whole number of calls. */
	uint64_t capacity = HISTORY_CALLS_MIN + 7;
	struct history *history = make(capacity * sizeof(struct call) + 50);

	for (uint64_t seq = 0; seq < 3 * capacity + 5; seq++) {
		if (seq % 101 == 0 || (seq + 2) % capacity < 4)
			check_all(history, seq, capacity);
		put(history, seq);
	}
	check_all(history, 3 * capacity + 5, capacity);
	history_free(history);
}
END_TEST

START_TEST(a_wish_for_less_than_the_least_is_raised)
{
	struct history *history = make(1);

	for (uint64_t seq = 0; seq < HISTORY_CALLS_MIN; seq++)
		put(history, seq);
	ck_assert_uint_eq(history_first(history), 0);
	put(history, HISTORY_CALLS_MIN);
	ck_assert_uint_eq(history_first(history), 1);
	history_free(history);
}
END_TEST

START_TEST(too_much_is_refused_with_advice)
{
	struct history *history = NULL;
	struct err err;

	ck_assert_int_eq(history_new(&history, SIZE_MAX / 2, &err), -ENOMEM);
	ck_assert_ptr_null(history);
	ck_assert_ptr_nonnull(strstr(err.text, "--history"));
}
END_TEST

START_TEST(numbers_go_on_after_clear)
{
	struct history *history = make(SMALL);

	for (uint64_t seq = 0; seq < 10; seq++)
		put(history, seq);
	history_clear(history);
	ck_assert_uint_eq(history_first(history), 10);
	ck_assert_uint_eq(history_end(history), 10);
	ck_assert_ptr_null(history_get(history, 9));
	put(history, 77);
	ck_assert_uint_eq(history_get(history, 10)->enter_ns, 77);
	history_free(history);
}
END_TEST

START_TEST(room_is_what_a_reader_does_not_need_any_more)
{
	struct history *history = make(SMALL);

	ck_assert_uint_eq(history_room(history), SIZE_MAX);
	history_hold(history, 0);
	ck_assert_uint_eq(history_room(history), HISTORY_CALLS_MIN);
	for (uint64_t seq = 0; seq < HISTORY_CALLS_MIN; seq++) {
		ck_assert_uint_eq(history_room(history), HISTORY_CALLS_MIN - seq);
		put(history, seq);
	}
	ck_assert_uint_eq(history_room(history), 0);
	ck_assert_ptr_nonnull(history_get(history, 0));
	history_hold(history, 3);
	ck_assert_uint_eq(history_room(history), 3);
	for (int i = 0; i < 3; i++)
		put(history, 0);
	ck_assert_uint_eq(history_room(history), 0);
	ck_assert_uint_eq(history_get(history, 3)->enter_ns, 3);
	/* The reader has everything. */
	history_hold(history, history_end(history));
	ck_assert_uint_eq(history_room(history), HISTORY_CALLS_MIN);
	/* What was held is not there any more. */
	history_hold(history, 1);
	ck_assert_uint_eq(history_room(history), 0);
	history_clear(history);
	ck_assert_uint_eq(history_room(history), HISTORY_CALLS_MIN);
	history_unhold(history);
	ck_assert_uint_eq(history_room(history), SIZE_MAX);
	history_free(history);
}
END_TEST

Suite *suite_history(void);
Suite *suite_history(void)
{
	Suite *suite = suite_create("history");
	TCase *tests = tcase_create("history");

	tcase_add_test(tests, oldest_out_first);
	tcase_add_test(tests, a_wish_for_less_than_the_least_is_raised);
	tcase_add_test(tests, too_much_is_refused_with_advice);
	tcase_add_test(tests, numbers_go_on_after_clear);
	tcase_add_test(tests, room_is_what_a_reader_does_not_need_any_more);
	suite_add_tcase(suite, tests);
	return suite;
}
