#include "engine/stack/stacks.h"

#include "tests/unit/runner.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#define KERNEL ((uint64_t)PERF_CONTEXT_KERNEL)
#define USER ((uint64_t)PERF_CONTEXT_USER)
#define GUEST ((uint64_t)PERF_CONTEXT_GUEST)
#define K(n) (0xffffffff81000000ULL + (n))

static uint32_t add(struct stacks *stacks, uint32_t pid, uint32_t generation, const uint64_t *ips,
		    size_t count)
{
	struct record_stack stack = { .ips = ips, .count = (uint32_t)count };

	return stacks_add(stacks, pid, generation, &stack);
}

START_TEST(a_stack_is_kept_once)
{
	static const uint64_t ips[] = { KERNEL, K(1), K(2), USER, 0x401000, 0x402000 };
	struct stacks *stacks = stacks_new(1 << 20);
	struct stack stack;
	uint32_t id = add(stacks, 10, 3, ips, 6);

	ck_assert_uint_eq(id, 1);
	ck_assert_uint_eq(add(stacks, 10, 3, ips, 6), 1);
	ck_assert_uint_eq(add(stacks, 10, 3, ips, 5), 2);
	ck_assert_uint_eq(stacks_count(stacks), 2);
	ck_assert(stacks_get(stacks, id, &stack));
	ck_assert_uint_eq(stack.id, id);
	ck_assert_uint_eq(stack.pid, 10);
	ck_assert_uint_eq(stack.generation, 3);
	ck_assert_uint_eq(stack.kernel_count, 2);
	ck_assert_uint_eq(stack.user_count, 2);
	ck_assert_uint_eq(stack.flags, STACK_USER_FP);
	ck_assert_uint_eq(stack.ips[0], K(1));
	ck_assert_uint_eq(stack.ips[3], 0x402000);
	ck_assert(!stacks_get(stacks, 0, &stack));
	ck_assert(!stacks_get(stacks, 3, &stack));
	stacks_free(stacks);
}
END_TEST

START_TEST(only_user_frames_belong_to_a_process)
{
	static const uint64_t kernel[] = { KERNEL, K(1), K(2) };
	static const uint64_t both[] = { KERNEL, K(1), K(2), USER, 0x401000 };
	struct stacks *stacks = stacks_new(1 << 20);
	struct stack stack;
	uint32_t shared = add(stacks, 1, 1, kernel, 3);

	ck_assert_uint_eq(add(stacks, 2, 9, kernel, 3), shared);
	ck_assert(stacks_get(stacks, shared, &stack));
	ck_assert_uint_eq(stack.pid, 0);
	ck_assert_uint_eq(stack.flags, 0);
	ck_assert_uint_ne(add(stacks, 1, 1, both, 5), add(stacks, 2, 1, both, 5));
	ck_assert_uint_ne(add(stacks, 1, 1, both, 5), add(stacks, 1, 2, both, 5));
	ck_assert_uint_eq(add(stacks, 1, 1, both, 5), add(stacks, 1, 1, both, 5));
	stacks_free(stacks);
}
END_TEST

START_TEST(markers_part_the_halves)
{
	static const struct {
		const char *name;
		uint64_t ips[8];
		size_t count;
		unsigned int kernel, user;
	} cases[] = {
		{ "nothing", { 0 }, 0, 0, 0 },
		{ "markers alone", { KERNEL, USER }, 2, 0, 0 },
		{ "no marker", { K(1), K(2), 0x401000 }, 3, 2, 1 },
		{ "user first", { USER, 0x401000, KERNEL, K(1) }, 4, 1, 1 },
		{ "a guest's frames", { GUEST, K(1), K(2), USER, 0x401000 }, 5, 0, 1 },
		/* What a hostile frame pointer leads to is still a user frame. */
		{ "kernel address in the user half", { KERNEL, K(1), USER, K(7) }, 4, 1, 1 },
		{ "address 0", { USER, 0 }, 2, 0, 1 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct stacks *stacks = stacks_new(1 << 20);
		uint32_t id = add(stacks, 1, 0, cases[i].ips, cases[i].count);
		struct stack stack = { .kernel_count = 0 };

		ck_assert_msg((id != 0) == (cases[i].kernel + cases[i].user > 0), "%s",
			      cases[i].name);
		if (id)
			ck_assert(stacks_get(stacks, id, &stack));
		ck_assert_msg(stack.kernel_count == cases[i].kernel &&
			      stack.user_count == cases[i].user, "%s: %u and %u", cases[i].name,
			      stack.kernel_count, stack.user_count);
		stacks_free(stacks);
	}
}
END_TEST

START_TEST(what_is_too_deep_is_cut_and_says_so)
{
	static uint64_t ips[4 * STACK_FRAMES_MAX];
	struct stacks *stacks = stacks_new(1 << 20);
	struct stack stack;
	size_t at = 0;

	ips[at++] = KERNEL;
	for (unsigned int i = 0; i < STACK_FRAMES_MAX; i++)
		ips[at++] = K(i);
	ips[at++] = USER;
	for (unsigned int i = 0; i < STACK_FRAMES_MAX; i++)
		ips[at++] = 0x401000 + i;
	ck_assert(stacks_get(stacks, add(stacks, 1, 0, ips, at), &stack));
	ck_assert_uint_eq(stack.flags, STACK_USER_FP);
	ips[at++] = 0x402000;
	ck_assert(stacks_get(stacks, add(stacks, 1, 0, ips, at), &stack));
	ck_assert_uint_eq(stack.flags, STACK_USER_FP | STACK_USER_CUT);
	ck_assert_uint_eq(stack.user_count, STACK_FRAMES_MAX);
	ck_assert_uint_eq(stack.ips[2 * STACK_FRAMES_MAX - 1], 0x401000 + STACK_FRAMES_MAX - 1);
	ips[at++] = KERNEL;
	ips[at++] = K(9999);
	ck_assert(stacks_get(stacks, add(stacks, 1, 0, ips, at), &stack));
	ck_assert_uint_eq(stack.flags, STACK_USER_FP | STACK_USER_CUT | STACK_KERNEL_CUT);
	stacks_free(stacks);
}
END_TEST

START_TEST(entries_never_move_and_the_limit_holds)
{
	struct stacks *stacks = stacks_new(4 << 20);
	uint64_t ips[20] = { KERNEL };
	const uint64_t *first = NULL;
	struct stack stack;
	uint32_t last = 0;

	for (uint64_t i = 0; i < 200000; i++) {
		uint32_t id;

		for (unsigned int k = 1; k < 20; k++)
			ips[k] = K(i * 64 + k);
		id = add(stacks, 1, 0, ips, 20);
		ck_assert_uint_le(stacks_bytes(stacks), 5 << 20);
		if (!id)
			continue;
		ck_assert_uint_eq(id, ++last);
		ck_assert(stacks_get(stacks, id, &stack));
		if (!first)
			first = stack.ips;
	}
	ck_assert_uint_gt(last, 10000);
	ck_assert_uint_eq(stacks_count(stacks), last);
	ck_assert_uint_eq(stacks_refused(stacks), 200000 - last);
	for (uint64_t i = 0; i < last; i++) {
		ck_assert(stacks_get(stacks, (uint32_t)i + 1, &stack));
		ck_assert_uint_eq(stack.ips[18], K(i * 64 + 19));
		if (i == 0)
			ck_assert_ptr_eq(stack.ips, first);
	}
	/* A known one is still found when there is no more room. */
	for (unsigned int k = 1; k < 20; k++)
		ips[k] = K(k);
	ck_assert_uint_eq(add(stacks, 1, 0, ips, 20), 1);
	stacks_free(stacks);
}
END_TEST

Suite *suite_stacks(void);
Suite *suite_stacks(void)
{
	Suite *suite = suite_create("stacks");
	TCase *tests = tcase_create("stacks");

	tcase_add_test(tests, a_stack_is_kept_once);
	tcase_add_test(tests, only_user_frames_belong_to_a_process);
	tcase_add_test(tests, markers_part_the_halves);
	tcase_add_test(tests, what_is_too_deep_is_cut_and_says_so);
	tcase_add_test(tests, entries_never_move_and_the_limit_holds);
	suite_add_tcase(suite, tests);
	return suite;
}
