/* Walks through the history of a recording, which is the same every time. */
#include "tui/calls/history_walk.h"

#include "engine/base/clock.h"
#include "tests/unit/recorded_shell.h"
#include "tests/unit/runner.h"

#define STEP_NS (10 * NS_PER_MS)

static struct engine *engine;
static uint64_t first, end;

static void setup(void)
{
	engine = recorded_engine("tests/replay/contention.data");
	engine_calls_range(engine, &first, &end);
	ck_assert_uint_gt(end - first, 100);
}

static void teardown(void)
{
	engine_free(engine);
}

static size_t count_call(void *ctx, const struct call *calls, size_t count)
{
	(void)calls;
	*(uint64_t *)ctx += count;
	return count;
}

static size_t any_call(void *ctx, const struct call *calls, size_t count)
{
	(void)ctx;
	(void)calls;
	(void)count;
	return 0;
}

/* Step until the result is not WALK_GOES_ON. */
static enum walk_result run(struct history_walk *walk, walk_match_fn *match, void *ctx)
{
	enum walk_result result;

	do
		result = history_walk_step(walk, engine, NULL, clock_now_ns() + STEP_NS, match,
					   ctx);
	while (result == WALK_GOES_ON);
	return result;
}

START_TEST(every_call_is_visited_once)
{
	static const struct {
		const char *name;
		bool forward, goes_round;
		int from, turned, calls; /* from, calls: percent of the history */
	} cases[] = {
		{ "forward from the start", true, false, 0, 0, 100 },
		{ "backward from the end", false, false, 100, 0, 100 },
		{ "forward from the middle", true, false, 50, 0, 50 },
		{ "backward from the middle", false, false, 50, 0, 50 },
		{ "round, forward", true, true, 25, 1, 100 },
		{ "round, backward", false, true, 25, 1, 100 },
		{ "round from the end", true, true, 100, 1, 100 },
		{ "round from the start, backward", false, true, 0, 1, 100 },
	};
	uint64_t all = end - first;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t from = all * (uint64_t)cases[i].from / 100, calls = 0;
		uint64_t expected = cases[i].calls == 100 ? all
				    : cases[i].forward    ? all - from
							  : from;
		struct history_walk walk;
		enum walk_result result;
		int turned = 0;

		history_walk_begin(&walk, engine, first + from, cases[i].forward,
				   cases[i].goes_round);
		while ((result = run(&walk, count_call, &calls)) == WALK_TURNED)
			turned++;
		ck_assert_msg(result == WALK_ENDED, "%s", cases[i].name);
		ck_assert_msg(turned == cases[i].turned, "%s", cases[i].name);
		ck_assert_msg(calls == expected, "%s: %llu calls, not %llu", cases[i].name,
			      (unsigned long long)calls, (unsigned long long)expected);
		ck_assert_uint_eq(history_walk_percent(&walk, engine), 100);
	}
}
END_TEST

START_TEST(walk_continues_after_a_match)
{
	struct history_walk walk;

	history_walk_begin(&walk, engine, first + 10, true, false);
	for (uint64_t seq = first + 10; seq < first + 20; seq++) {
		ck_assert_int_eq(run(&walk, any_call, NULL), WALK_FOUND);
		ck_assert_uint_eq(walk.found, seq);
	}
	history_walk_begin(&walk, engine, first + 10, false, false);
	for (uint64_t seq = first + 10; seq-- > first;) {
		ck_assert_int_eq(run(&walk, any_call, NULL), WALK_FOUND);
		ck_assert_uint_eq(walk.found, seq);
	}
	ck_assert_int_eq(run(&walk, any_call, NULL), WALK_ENDED);
}
END_TEST

/* Each step visits some calls even if until_ns has passed, so the walk ends. */
START_TEST(step_without_time_makes_progress)
{
	struct history_walk walk;
	uint64_t calls = 0, steps = 0;
	unsigned percent = 0;

	history_walk_begin(&walk, engine, first, true, false);
	while (history_walk_step(&walk, engine, NULL, 0, count_call, &calls) == WALK_GOES_ON) {
		ck_assert_uint_ge(history_walk_percent(&walk, engine), percent);
		percent = history_walk_percent(&walk, engine);
		steps++;
	}
	ck_assert_uint_eq(calls, end - first);
	ck_assert_uint_gt(steps, 1);
	ck_assert_uint_gt(percent, 50);
}
END_TEST

Suite *suite_history_walk(void);

Suite *suite_history_walk(void)
{
	Suite *suite = suite_create("history_walk");
	TCase *tcase = tcase_create("history_walk");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, every_call_is_visited_once);
	tcase_add_test(tcase, walk_continues_after_a_match);
	tcase_add_test(tcase, step_without_time_makes_progress);
	tcase_set_timeout(tcase, 20);
	suite_add_tcase(suite, tcase);
	return suite;
}
