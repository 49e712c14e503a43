#include "engine/model/history.h"

#include "tests/unit/runner.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

/* Return a call that depends on its number only; the sizes vary. */
static struct call call_of(uint64_t seq)
{
	unsigned seed = (unsigned)seq;
	struct call call = {
		.enter_ns = 1000000000 + seq * 1000 - (uint64_t)(rand_r(&seed) % 100000),
		.dur_ns = rand_r(&seed),
		.ret = (int64_t)seq,
		.state = CALL_DONE,
	};

	for (size_t i = 0; i < (size_t)rand_r(&seed) % (SYSCALL_ARGS + 1); i++)
		call.args[i] = (uint64_t)rand_r(&seed) << rand_r(&seed) % 40;
	if (rand_r(&seed) % 4 == 0) {
		call.blocked_ns = (uint64_t)rand_r(&seed) << 20;
		call.stack_id = (uint32_t)rand_r(&seed);
	}
	return call;
}

/* Return a call of the largest size. */
static struct call large_call(void)
{
	struct call call;

	memset(&call, 0x7f, sizeof(call));
	call.thread_state = THREAD_STATE_UNKNOWN;
	call.bytes_at = 0;
	call.state = CALL_DONE;
	call.waker_kind = WAKER_THREAD;
	return call;
}

static void check_at(struct history *history, uint64_t seq)
{
	struct call expected = call_of(seq), call;

	memset(&call, 0xff, sizeof(call));
	if (history_get(history, seq, &call) !=
	    (seq >= history_first(history) && seq < history_end(history)))
		ck_abort_msg("%lu of %lu", (unsigned long)seq, (unsigned long)history_end(history));
	if (seq >= history_first(history) && seq < history_end(history))
		ck_assert_mem_eq(&call, &expected, sizeof(call));
}

/* Check reads that begin and end at random places in the blocks. */
static void check_read(struct history *history)
{
	uint64_t seq = history_first(history), end = history_end(history);
	struct call calls[300];
	unsigned seed = 5;

	if (seq)
		ck_assert_uint_eq(history_read(history, seq - 1, calls, 300), 0);
	while (seq < end) {
		size_t max = (size_t)rand_r(&seed) % 300 + 1;
		size_t count = history_read(history, seq, calls, max);

		ck_assert_uint_eq(count, max < end - seq ? max : end - seq);
		for (size_t i = 0; i < count; i++) {
			struct call expected = call_of(seq + i);

			ck_assert_mem_eq(&calls[i], &expected, sizeof(expected));
		}
		seq += count;
	}
	ck_assert_uint_eq(history_read(history, end, calls, 300), 0);
}

/* Check every sequence number, present or evicted, in several orders. */
static void check_all(struct history *history)
{
	uint64_t end = history_end(history);
	unsigned seed = 3;

	for (uint64_t seq = 0; seq < end + 2; seq++)
		check_at(history, seq);
	for (uint64_t seq = end + 2; seq-- > 0;)
		check_at(history, seq);
	check_read(history);
	for (int i = 0; i < 1000; i++)
		check_at(history, (uint64_t)rand_r(&seed) % (end + 2));
}

START_TEST(oldest_calls_are_evicted_first)
{
	/* The size is not a whole number of blocks. */
	struct history *history = make(HISTORY_BYTES_MIN + 77777);
	uint64_t first = 0, evictions = 0;

	for (uint64_t seq = 0; evictions < 70; seq++) {
		struct call call = call_of(seq);

		ck_assert_uint_eq(history_end(history), seq);
		history_put(history, &call, NULL);
		ck_assert_uint_ge(history_first(history), first);
		if (history_first(history) == first)
			continue;
		/* One block is evicted, which is a small part of the calls. */
		ck_assert_uint_lt(history_first(history) - first, (seq - first) / 10);
		first = history_first(history);
		if (++evictions % 23 == 1)
			check_all(history);
	}
	check_all(history);
	history_free(history);
}
END_TEST

START_TEST(too_small_size_is_raised_to_the_minimum)
{
	struct history *history = make(1);
	struct call large = large_call();

	for (uint64_t seq = 0; seq < HISTORY_CALLS_MIN; seq++)
		history_put(history, &large, NULL);
	ck_assert_uint_eq(history_first(history), 0);
	for (uint64_t seq = 0; seq < HISTORY_CALLS_MIN; seq++)
		history_put(history, &large, NULL);
	ck_assert_uint_gt(history_first(history), 0);
	ck_assert_uint_le(history_bytes_used(history), HISTORY_BYTES_MIN);
	history_free(history);
}
END_TEST

START_TEST(too_large_size_is_rejected_with_advice)
{
	struct history *history = NULL;
	struct err err;

	ck_assert_int_eq(history_new(&history, SIZE_MAX / 2, &err), -ENOMEM);
	ck_assert_ptr_null(history);
	ck_assert_ptr_nonnull(strstr(err.text, "--history"));
}
END_TEST

START_TEST(sequence_numbers_continue_after_clear)
{
	struct history *history = make(HISTORY_BYTES_MIN);
	struct call call;

	for (uint64_t seq = 0; seq < 10; seq++)
		put(history, seq);
	history_clear(history);
	ck_assert_uint_eq(history_first(history), 10);
	ck_assert_uint_eq(history_end(history), 10);
	ck_assert_uint_eq(history_bytes_used(history), 0);
	ck_assert(!history_get(history, 9, &call));
	ck_assert(!history_get(history, 10, &call));
	put(history, 77);
	ck_assert(!history_get(history, 9, &call));
	ck_assert(history_get(history, 10, &call));
	ck_assert_uint_eq(call.enter_ns, 77);
	for (uint64_t seq = 11; history_first(history) == 10; seq++)
		put(history, seq);
	ck_assert(history_get(history, history_first(history), &call));
	ck_assert_uint_eq(call.enter_ns, history_first(history));
	history_free(history);
}
END_TEST

/* Add the call until there is no room; return how often it was added. */
static uint64_t fill(struct history *history, const struct call *call)
{
	uint64_t count = 0;

	for (; history_room(history); count++) {
		size_t room = history_room(history);

		history_put(history, call, NULL);
		/* A call reduces the room by at most one call. */
		ck_assert_uint_ge(history_room(history), room - 1);
	}
	return count;
}

START_TEST(room_excludes_held_calls)
{
	struct history *history = make(HISTORY_BYTES_MIN);
	struct call large = large_call(), small = { .state = CALL_DONE, .enter_ns = 1 }, call;
	uint64_t read, held;

	ck_assert_uint_eq(history_room(history), SIZE_MAX);
	history_hold(history, 0);
	ck_assert_uint_ge(history_room(history), HISTORY_CALLS_MIN);
	/* Large calls, and later many more small ones in the same memory. */
	ck_assert_uint_ge(fill(history, &large), HISTORY_CALLS_MIN);
	ck_assert(history_get(history, 0, &call));
	/* The reader has read everything. */
	history_hold(history, history_end(history));
	ck_assert_uint_ge(history_room(history), HISTORY_CALLS_MIN);
	read = history_end(history);
	ck_assert_uint_ge(fill(history, &small), 4 * HISTORY_CALLS_MIN);
	ck_assert(history_get(history, read, &call));
	/* Held calls stay while the reader advances. */
	for (int i = 0; i < 50; i++) {
		held = read + (history_end(history) - read) / 3;
		history_hold(history, held);
		fill(history, i % 2 ? &small : &large);
		ck_assert_uint_le(history_first(history), held);
		read = held;
	}
	/* A hold of an evicted call holds the oldest one. */
	history_hold(history, 1);
	read = history_first(history);
	fill(history, &small);
	ck_assert_uint_eq(history_first(history), read);
	history_clear(history);
	ck_assert_uint_ge(history_room(history), HISTORY_CALLS_MIN);
	history_unhold(history);
	ck_assert_uint_eq(history_room(history), SIZE_MAX);
	history_free(history);
}
END_TEST

START_TEST(shortened_history_retains_the_newest_calls)
{
	struct history *history = make(8 << 20);

	history_shorten(history, 256 << 10);
	for (uint64_t seq = 0; seq < 100000; seq++) {
		struct call call = call_of(seq);

		history_put(history, &call, NULL);
	}
	ck_assert_uint_le(history_bytes_used(history), 256 << 10);
	ck_assert_uint_ge(history_bytes_used(history), 128 << 10);
	ck_assert_uint_ge(history_end(history) - history_first(history), HISTORY_CALLS_MIN);
	check_read(history);
	history_free(history);
}
END_TEST

START_TEST(history_without_room_numbers_calls)
{
	struct history *history = make(0);
	const struct record_bytes bytes = { "text", 4, false };
	struct call call = call_of(0);

	history_shorten(history, 0);
	for (uint64_t seq = 0; seq < 1000; seq++)
		history_put(history, &call, seq % 2 ? &bytes : NULL);
	ck_assert_uint_eq(history_end(history), 1000);
	ck_assert_uint_eq(history_first(history), 1000);
	ck_assert(!history_get(history, 999, &call));
	ck_assert_uint_eq(history_read(history, 0, &call, 1), 0);
	ck_assert_uint_eq(history_bytes_used(history), 0);
	history_free(history);
}
END_TEST

Suite *suite_history(void);
Suite *suite_history(void)
{
	Suite *suite = suite_create("history");
	TCase *tests = tcase_create("history");

	tcase_add_test(tests, oldest_calls_are_evicted_first);
	tcase_add_test(tests, too_small_size_is_raised_to_the_minimum);
	tcase_add_test(tests, too_large_size_is_rejected_with_advice);
	tcase_add_test(tests, sequence_numbers_continue_after_clear);
	tcase_add_test(tests, shortened_history_retains_the_newest_calls);
	tcase_add_test(tests, history_without_room_numbers_calls);
	tcase_add_test(tests, room_excludes_held_calls);
	suite_add_tcase(suite, tests);
	return suite;
}
