#include "tui/calls/call_seek.h"

#include "tests/unit/recorded_shell.h"
#include "tests/unit/runner.h"

#include <stdlib.h>
#include <string.h>

static struct engine *engine;
static struct call_window window;
static struct call_seek place;

static void setup(void)
{
	engine = recorded_engine("tests/replay/contention.data");
	call_window_init(&window);
	memset(&place, 0, sizeof(place));
}

static void teardown(void)
{
	call_window_release(&window);
	engine_free(engine);
}

static struct filter *parse(const char *text)
{
	struct filter_error error;
	struct filter *filter = NULL;

	ck_assert_msg(!filter_parse(&filter, text, engine_filter_names(engine), &error), "%s",
		      error.err.text);
	return filter;
}

static enum place_result find(const struct filter *filter, uint64_t from, uint64_t *seq)
{
	enum place_result result;

	call_seek_begin(&place, &window, from);
	do
		result = call_seek_step(&place, &window, engine, filter, seq);
	while (result == PLACE_GOES_ON);
	ck_assert(!place.running);
	return result;
}

/* Seek from every call; compare the results with a search of all calls. */
START_TEST(nearest_match_is_found_from_every_call)
{
	static const char *const texts[] = { "futex", "failed", "clock_nanosleep", "exit_group",
					     "tid > 1" };
	uint64_t first, end, seqs[512];
	struct call calls[512];

	engine_calls_range(engine, &first, &end);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct filter *filter = parse(texts[i]);
		uint64_t at = first, seq;
		size_t count = 0;

		/* A query returns after a short time with the calls so far: repeat it. */
		while (at < end)
			count += engine_calls_after(engine, &at, filter, calls + count,
						    seqs + count, 512 - count);
		ck_assert_uint_gt(count, 0);
		for (uint64_t from = first; from < end; from++) {
			uint64_t best = seqs[0];

			for (size_t j = 1; j < count; j++)
				if (llabs((long long)(seqs[j] - from)) <=
				    llabs((long long)(best - from)))
					best = seqs[j];
			ck_assert_int_eq(find(filter, from, &seq), PLACE_FOUND);
			ck_assert_msg(seq == best, "%s from %llu: %llu, not %llu", texts[i],
				      (unsigned long long)from, (unsigned long long)seq,
				      (unsigned long long)best);
		}
		filter_free(filter);
	}
}
END_TEST

START_TEST(where_nothing_matches_there_is_no_place)
{
	struct filter *filter = parse("tid == 1");
	uint64_t seq;

	ck_assert_int_eq(find(filter, 100, &seq), PLACE_NOWHERE);
	ck_assert_uint_eq(window.count, 0);
	filter_free(filter);
}
END_TEST

START_TEST(a_place_past_either_end_is_the_end)
{
	struct filter *filter = parse("futex");
	uint64_t first, end, seq;

	engine_calls_range(engine, &first, &end);
	ck_assert_int_eq(find(filter, end + 1000, &seq), PLACE_FOUND);
	ck_assert_uint_lt(seq, end);
	ck_assert_int_eq(find(filter, 0, &seq), PLACE_FOUND);
	filter_free(filter);
}
END_TEST

START_TEST(oldest_match_is_found_as_the_first_row)
{
	static const char *const texts[] = { "futex", "failed", "exit_group", "tid > 1" };
	uint64_t at, seqs[1], seq;
	struct call calls[1];

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct filter *filter = parse(texts[i]);

		at = 0;
		ck_assert_uint_eq(engine_calls_after(engine, &at, filter, calls, seqs, 1), 1);
		call_window_clear(&window);
		call_window_follow(&window, engine, NULL);
		call_seek_begin_oldest(&place);
		ck_assert_int_eq(call_seek_step(&place, &window, engine, filter, &seq),
				 PLACE_FOUND);
		ck_assert(!place.running);
		ck_assert_uint_eq(seq, seqs[0]);
		ck_assert_uint_eq(call_window_at(&window, 0)->seq, seqs[0]);
		/* Older calls were searched already; none match. */
		ck_assert(!call_window_grow_older(&window, engine, filter, 10, 10));
		for (size_t row = 0; row < window.count; row++) {
			at = call_window_at(&window, row)->seq;
			ck_assert_uint_eq(engine_calls_after(engine, &at, filter, calls, seqs, 1),
					  1);
			ck_assert_uint_eq(seqs[0], call_window_at(&window, row)->seq);
		}
		filter_free(filter);
	}
}
END_TEST

START_TEST(where_nothing_matches_there_is_no_oldest)
{
	struct filter *filter = parse("tid == 1");
	size_t before;
	uint64_t seq;

	call_window_follow(&window, engine, NULL);
	before = window.count;
	call_seek_begin_oldest(&place);
	ck_assert_uint_eq(call_seek_percent(&place, &window, engine), 0);
	ck_assert_int_eq(call_seek_step(&place, &window, engine, filter, &seq), PLACE_NOWHERE);
	ck_assert(!place.running);
	ck_assert_uint_eq(call_seek_percent(&place, &window, engine), 100);
	ck_assert_uint_eq(window.count, before);
	filter_free(filter);
}
END_TEST

Suite *suite_call_seek(void);
Suite *suite_call_seek(void)
{
	Suite *suite = suite_create("call_seek");
	TCase *tests = tcase_create("call_place");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, nearest_match_is_found_from_every_call);
	tcase_add_test(tests, where_nothing_matches_there_is_no_place);
	tcase_add_test(tests, a_place_past_either_end_is_the_end);
	tcase_add_test(tests, oldest_match_is_found_as_the_first_row);
	tcase_add_test(tests, where_nothing_matches_there_is_no_oldest);
	suite_add_tcase(suite, tests);
	return suite;
}
