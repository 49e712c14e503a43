/* The stacks that a tree is built from, and their order. */
#include "tui/calls/tree_build.h"

#include "engine/base/mem.h"
#include "tests/unit/recorded_shell.h"
#include "tests/unit/runner.h"

#include <stdlib.h>
#include <string.h>

static struct engine *engine;
static struct session session;
static struct blocked_stacks stacks;
static struct tree_build build;

static void setup(void)
{
	engine = recorded_engine("tests/replay/contention.data");
	memset(&session, 0, sizeof(session));
	session.engine = engine;
	blocked_stacks_init(&stacks);
	stacks.everything = true;
	tree_build_init(&build);
}

static void teardown(void)
{
	free(session.in_flight);
	blocked_stacks_release(&stacks);
	tree_build_release(&build);
	engine_free(engine);
}

static void add_stacks(size_t count)
{
	stacks.stacks = mem_grow(stacks.stacks, &stacks.capacity, count, sizeof(*stacks.stacks));
	stacks.count = count;
	for (size_t i = 0; i < count; i++)
		stacks.stacks[i] = (struct blocked_stack){
			.stack_id = (uint32_t)i + 1000000,
			.blocked_ns = (i * 7919) % count + 1, /* 7919 is prime: each of 1…count */
			.calls = i + 1,
			.errors = i % 3 == 0,
		};
}

START_TEST(the_heaviest_stacks_are_kept)
{
	static const size_t counts[] = { 1, 2, 100, 4095, 4096, 4097, 10000 };

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		size_t count = counts[i], kept = count < 4096 ? count : 4096;

		add_stacks(count);
		tree_build_begin(&build, &stacks, &session, WEIGHT_TIME);
		ck_assert_uint_eq(build.count, kept);
		ck_assert_uint_eq(build.left_out, count - kept);
		ck_assert_uint_eq(build.total, (uint64_t)count * (count + 1) / 2);
		for (size_t j = 0; j < kept; j++)
			ck_assert_uint_eq(build.stacks[j].blocked_ns, count - j);
	}
}
END_TEST

START_TEST(weights_are_time_calls_or_errors)
{
	add_stacks(9);
	tree_build_begin(&build, &stacks, &session, WEIGHT_CALLS);
	ck_assert_uint_eq(build.total, 45);
	ck_assert_uint_eq(build.stacks[0].calls, 9);
	tree_build_begin(&build, &stacks, &session, WEIGHT_ERRORS);
	ck_assert_uint_eq(build.total, 3);
	ck_assert_uint_eq(build.count, 3); /* a stack without weight is not in the tree */
}
END_TEST

START_TEST(current_waits_are_merged_by_stack)
{
	session.in_flight = mem_zalloc(3000, sizeof(*session.in_flight));
	session.in_flight_count = 3000;
	for (size_t i = 0; i < 3000; i++) {
		session.in_flight[i].stack_id = (uint32_t)(i % 2) + 1;
		session.in_flight[i].blocked_ns = 10;
	}
	session.in_flight[0].stack_id = 0; /* without a stack */
	session.in_flight[1].blocked_ns = 0; /* not blocked */
	tree_build_begin(&build, &stacks, &session, WEIGHT_TIME);
	ck_assert_uint_eq(build.count, 2);
	ck_assert_uint_eq(build.total, 2998 * 10);
	ck_assert_uint_eq(build.stacks[0].calls + build.stacks[1].calls, 2998);
	tree_build_begin(&build, &stacks, &session, WEIGHT_ERRORS);
	ck_assert_uint_eq(build.count, 0);
}
END_TEST

START_TEST(steps_finish_the_tree)
{
	struct call_tree *tree = call_tree_new(false);
	unsigned percent = 0;
	int steps = 1;

	add_stacks(1000);
	tree_build_begin(&build, &stacks, &session, WEIGHT_TIME);
	while (!tree_build_step(&build, engine, tree, 0)) {
		ck_assert(build.running);
		ck_assert_uint_ge(tree_build_percent(&build), percent);
		percent = tree_build_percent(&build);
		steps++;
	}
	ck_assert_int_gt(steps, 10);
	ck_assert(!build.running);
	ck_assert_uint_eq(tree_build_percent(&build), 100);
	call_tree_free(tree);
}
END_TEST

START_TEST(kernel_and_user_frames_are_selected)
{
	struct frame frames[] = { { .kind = FRAME_KERNEL, .ip = 1 },
				  { .kind = FRAME_USER, .ip = 2 },
				  { .kind = FRAME_KERNEL, .ip = 3 } };

	ck_assert_uint_eq(frames_select_halves(frames, 3, HALVES_BOTH), 3);
	ck_assert_uint_eq(frames_select_halves(frames, 3, HALVES_KERNEL), 2);
	ck_assert_uint_eq(frames[1].ip, 3);
	ck_assert_uint_eq(frames_select_halves(frames, 2, HALVES_USER), 0);
}
END_TEST

Suite *suite_tree_build(void);

Suite *suite_tree_build(void)
{
	Suite *suite = suite_create("tree_build");
	TCase *tcase = tcase_create("tree_build");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, the_heaviest_stacks_are_kept);
	tcase_add_test(tcase, weights_are_time_calls_or_errors);
	tcase_add_test(tcase, current_waits_are_merged_by_stack);
	tcase_add_test(tcase, steps_finish_the_tree);
	tcase_add_test(tcase, kernel_and_user_frames_are_selected);
	tcase_set_timeout(tcase, 20);
	suite_add_tcase(suite, tcase);
	return suite;
}
