/* Uses the history of a recording, which is the same every time. */
#include "tui/calls/call_window.h"

#include "engine/base/clock.h"
#include "engine/demo.h"
#include "tests/unit/runner.h"

#include <string.h>
#include <unistd.h>

#define RECORDING "tests/replay/contention.data"
#define WAIT_NS (10 * NS_PER_S)

static struct engine *engine;
static struct call_window window;
static uint64_t first, end;

static void open_engine(struct engine_options *options)
{
	uint64_t until = clock_now_ns() + WAIT_NS;
	struct engine_status status;
	struct err err;

	target_init(&options->target);
	ck_assert_msg(!engine_new(&engine, &err), "%s", err.text);
	ck_assert_msg(!engine_start(engine, options, &err), "%s", err.text);
	do {
		engine_status(engine, &status);
		usleep(1000);
	} while (!status.finished && clock_now_ns() < until);
	ck_assert(status.finished);
	engine_calls_range(engine, &first, &end);
	ck_assert_uint_gt(end - first, 100);
	call_window_init(&window);
}

static void setup(void)
{
	open_engine(&(struct engine_options){ .recording = RECORDING, .stacks = STACKS_OFF });
}

static void teardown(void)
{
	call_window_release(&window);
	engine_free(engine);
}

/* Check that the rows are in order, can be found, and lie in the searched range. */
static void check_rows(void)
{
	for (size_t i = 0; i < window.count; i++) {
		const struct call_window_row *row = call_window_at(&window, i);
		size_t found;

		ck_assert_uint_ge(row->seq, window.older_seq);
		ck_assert_uint_lt(row->seq, window.newer_seq);
		if (i)
			ck_assert_uint_gt(row->seq, call_window_at(&window, i - 1)->seq);
		ck_assert(call_window_find(&window, row->seq, &found));
		ck_assert_uint_eq(found, i);
	}
}

START_TEST(following_window_holds_all_calls_to_the_end)
{
	ck_assert(call_window_follow(&window, engine, NULL));
	ck_assert_uint_eq(window.count, end - first);
	ck_assert_uint_eq(window.newer_seq, end);
	check_rows();
	ck_assert(!call_window_follow(&window, engine, NULL));
}
END_TEST

START_TEST(window_grows_backwards_by_the_requested_count)
{
	size_t row;

	ck_assert(call_window_grow_older(&window, engine, NULL, 10, 0));
	ck_assert_uint_eq(window.count, 10);
	ck_assert_uint_eq(window.older_seq, end - 10);
	check_rows();
	ck_assert(call_window_grow_older(&window, engine, NULL, 7, 0));
	ck_assert_uint_eq(window.count, 17);
	check_rows();
	while (call_window_grow_older(&window, engine, NULL, 50, 0))
		;
	ck_assert_uint_eq(window.count, end - first);
	ck_assert(!call_window_find(&window, end, &row));
	check_rows();
}
END_TEST

START_TEST(window_grows_forwards_from_the_start)
{
	call_window_seek(&window, first);
	ck_assert_uint_eq(window.count, 0);
	ck_assert(!call_window_grow_older(&window, engine, NULL, 10, 0));
	ck_assert(call_window_grow_newer(&window, engine, NULL, 0));
	ck_assert_uint_eq(window.count, end - first);
	check_rows();
	call_window_clear(&window);
	ck_assert(!call_window_grow_newer(&window, engine, NULL, 0));
	ck_assert_uint_eq(window.count, 0);
}
END_TEST

START_TEST(only_calls_that_match_are_held)
{
	struct filter *filter;
	struct filter_error error;
	size_t matching = 0;
	const char *name = NULL;
	uint32_t nr;

	call_window_follow(&window, engine, NULL);
	nr = call_window_at(&window, window.count / 2)->call.nr;
	for (size_t i = 0; i < window.count; i++)
		matching += call_window_at(&window, i)->call.nr == nr;
	name = syscalls_info(engine_syscalls(engine), nr)->name;
	ck_assert_msg(!filter_parse(&filter, name, engine_filter_names(engine), &error), "%s",
		      error.err.text);
	call_window_clear(&window);
	call_window_follow(&window, engine, filter);
	ck_assert_uint_eq(window.count, matching);
	ck_assert_uint_lt(matching, end - first);
	check_rows();
	for (size_t i = 0; i < window.count; i++)
		ck_assert_uint_eq(call_window_at(&window, i)->call.nr, nr);
	filter_free(filter);
}
END_TEST

/* Grow to the end or until the window is full; a query has a time limit, so repeat it. */
static void grow_to_the_end(void)
{
	while (window.newer_seq < end && window.count < CALL_WINDOW_MAX)
		call_window_grow_newer(&window, engine, NULL, 0);
}

/* Fills the window with the same calls repeatedly, as a fast stream fills it. */
START_TEST(full_window_drops_the_far_side)
{
	uint64_t sixth;

	call_window_seek(&window, first);
	while (window.count + (end - first) <= CALL_WINDOW_MAX) {
		grow_to_the_end();
		window.newer_seq = first;
	}
	grow_to_the_end();
	ck_assert_uint_eq(window.count, CALL_WINDOW_MAX);
	sixth = call_window_at(&window, 5)->seq;
	window.newer_seq = end - 5;
	ck_assert(!call_window_grow_newer(&window, engine, NULL, 0));
	ck_assert(call_window_grow_newer(&window, engine, NULL, 5));
	ck_assert_uint_eq(window.count, CALL_WINDOW_MAX);
	ck_assert_uint_eq(call_window_at(&window, CALL_WINDOW_MAX - 1)->seq, end - 1);
	ck_assert_uint_eq(call_window_at(&window, 0)->seq, sixth);
}
END_TEST

START_TEST(evicted_calls_are_a_gap_row)
{
	const struct call_window_row *gap;

	struct engine_options options = { .recording = DEMO_NAME,
					  .history_bytes = 1,
					  .stacks = STACKS_OFF };
	struct demo demo;
	struct err err;

	teardown();
	ck_assert_msg(!demo_open(&demo, &err), "%s", err.text);
	options.recording_fd = demo.fd;
	open_engine(&options);
	ck_assert_uint_gt(first, 10);
	call_window_follow(&window, engine, NULL);
	window.newer_seq = first - 10;
	window.count = 3;
	call_window_grow_newer(&window, engine, NULL, 0);
	gap = call_window_at(&window, 3);
	ck_assert_int_eq(gap->call.state, CALL_GAP);
	ck_assert_uint_eq(gap->call.args[0], 10);
	ck_assert_uint_eq(gap->call.args[1], CALL_WINDOW_NOT_CACHED);
	ck_assert_uint_eq(call_window_at(&window, 4)->seq, first);
	engine_free(engine);
	engine = NULL;
	demo_close(&demo);
}
END_TEST

START_TEST(evicted_oldest_call_stays)
{
	struct call call = { .nr = 1, .state = CALL_DONE };

	call_window_start(&window, 17, &call);
	ck_assert_uint_eq(window.count, 1);
	ck_assert_uint_eq(call_window_at(&window, 0)->seq, 17);
	ck_assert_uint_eq(window.newer_seq, 18);
	ck_assert(!call_window_grow_older(&window, engine, NULL, 10, 10));
}
END_TEST

Suite *suite_call_window(void);
Suite *suite_call_window(void)
{
	Suite *suite = suite_create("call_window");
	TCase *tests = tcase_create("call_window");

	tcase_set_timeout(tests, 20);
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, following_window_holds_all_calls_to_the_end);
	tcase_add_test(tests, window_grows_backwards_by_the_requested_count);
	tcase_add_test(tests, window_grows_forwards_from_the_start);
	tcase_add_test(tests, only_calls_that_match_are_held);
	tcase_add_test(tests, full_window_drops_the_far_side);
	tcase_add_test(tests, evicted_calls_are_a_gap_row);
	tcase_add_test(tests, evicted_oldest_call_stays);
	suite_add_tcase(suite, tests);
	return suite;
}
