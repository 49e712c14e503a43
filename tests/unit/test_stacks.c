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

START_TEST(markers_separate_kernel_and_user_frames)
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
		/* An address from a hostile frame pointer is still a user frame. */
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
				      stack.user_count == cases[i].user,
			      "%s: %u and %u", cases[i].name, stack.kernel_count, stack.user_count);
		stacks_free(stacks);
	}
}
END_TEST

START_TEST(deep_stacks_are_truncated_and_marked)
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

/* Add a different stack of 19 frames for each number. */
static uint32_t add_numbered(struct stacks *stacks, uint64_t number)
{
	uint64_t ips[20] = { KERNEL };

	for (unsigned int k = 1; k < 20; k++)
		ips[k] = K(number * 64 + k);
	return add(stacks, 1, 0, ips, 20);
}

static bool is_numbered(const struct stacks *stacks, uint32_t id, uint64_t number)
{
	struct stack stack;
	bool same;

	if (!stacks_get(stacks, id, &stack))
		return false;
	/* One assertion for all comparisons: an assertion takes longer than all of them. */
	same = stack.id == id && stack.kernel_count == 19;
	for (unsigned int k = 1; same && k < 20; k++)
		same = stack.ips[k - 1] == K(number * 64 + k);
	ck_assert(same);
	return true;
}

#define MANY 50000

START_TEST(unused_stacks_are_evicted)
{
	struct stacks *stacks = stacks_new(4 << 20);
	uint32_t kept = 0;

	for (uint64_t i = 0; i < MANY; i++) {
		if (add_numbered(stacks, i) != i + 1 || stacks_bytes(stacks) > 5 << 20)
			ck_abort_msg("stack %u", (unsigned int)i);
	}
	ck_assert_uint_eq(stacks_refused(stacks), 0);
	ck_assert_uint_eq(stacks_evicted_shown(stacks), 0);
	for (uint32_t i = 0; i < MANY; i++)
		kept += is_numbered(stacks, i + 1, i);
	ck_assert_uint_gt(kept, 5000);
	ck_assert_uint_eq(kept, stacks_count(stacks));
	ck_assert_uint_eq(stacks_evicted(stacks), MANY - kept);
	/* The newest stack is present, and has the same id when it is added again. */
	ck_assert(is_numbered(stacks, MANY, MANY - 1));
	ck_assert_uint_eq(add_numbered(stacks, MANY - 1), MANY);
	/* An evicted stack gets another id when it is added again. */
	ck_assert(!is_numbered(stacks, 1, 0));
	ck_assert_uint_eq(add_numbered(stacks, 0), MANY + 1);
	stacks_free(stacks);
}
END_TEST

/* A history of 1,000 rows: each row shows the stack of its number. */
START_TEST(stacks_stay_as_long_as_their_rows)
{
	struct stacks *stacks = stacks_new(4 << 20);

	for (uint64_t i = 0; i < MANY; i++) {
		uint64_t first = i > 999 ? i - 999 : 0;

		stacks_note_row(stacks, add_numbered(stacks, i), i, first);
		if (i % 19997 == 0)
			for (uint64_t row = first; row <= i; row++)
				ck_assert(is_numbered(stacks, (uint32_t)row + 1, row));
	}
	ck_assert_uint_eq(stacks_evicted_shown(stacks), 0);
	ck_assert_uint_gt(stacks_evicted(stacks), 0);
	stacks_free(stacks);
}
END_TEST

/* With more rows than stacks that fit, the oldest rows lose their stacks. */
START_TEST(the_oldest_rows_lose_their_stacks_first)
{
	struct stacks *stacks = stacks_new(4 << 20);

	for (uint64_t i = 0; i < MANY; i++) {
		stacks_note_row(stacks, add_numbered(stacks, i), i, 0);
		if (stacks_bytes(stacks) > 5 << 20)
			ck_abort_msg("stack %u", (unsigned int)i);
	}
	ck_assert_uint_eq(stacks_refused(stacks), 0);
	ck_assert_uint_eq(stacks_evicted_shown(stacks), stacks_evicted(stacks));
	ck_assert(!is_numbered(stacks, 1, 0));
	for (uint32_t i = MANY - 2000; i < MANY; i++)
		ck_assert(is_numbered(stacks, i + 1, i));
	stacks_free(stacks);
}
END_TEST

static void hold_up_to(void *ctx, struct stacks *stacks)
{
	for (uint32_t id = 1; id <= *(const uint32_t *)ctx; id++)
		stacks_hold(stacks, id);
}

START_TEST(stacks_that_a_task_holds_stay)
{
	struct stacks *stacks = stacks_new(4 << 20);
	uint32_t held = 100, id;

	stacks_set_holders(stacks, hold_up_to, &held);
	for (uint64_t i = 0; i < MANY; i++)
		add_numbered(stacks, i);
	for (uint32_t i = 0; i < 100; i++)
		ck_assert(is_numbered(stacks, i + 1, i));
	held = MANY;
	for (uint64_t i = MANY; (id = add_numbered(stacks, i)); i++)
		held = id;
	ck_assert_uint_eq(stacks_refused(stacks), 1);
	stacks_free(stacks);
}
END_TEST

START_TEST(a_pending_stack_and_its_result_are_evicted_together)
{
	static const uint64_t user[] = { 0x401000, 0x402000 };
	const uint64_t ips[] = { KERNEL, K(7), USER, 0x401000 };
	struct record_stack sample = { .ips = ips, .count = 4 };
	struct stacks *stacks = stacks_new(4 << 20);
	uint32_t shown = stacks_add_pending(stacks, 1, 1, &sample);
	uint32_t left = stacks_add_pending(stacks, 2, 1, &sample);
	struct stack stack;

	stacks_note_row(stacks, shown, 5, 0);
	stacks_resolve(stacks, shown, user, 2, STACK_USER_DWARF);
	stacks_resolve(stacks, left, user, 2, STACK_USER_DWARF);
	for (uint64_t i = 0; i < MANY; i++)
		add_numbered(stacks, i);
	ck_assert(stacks_get(stacks, shown, &stack));
	ck_assert_uint_eq(stack.user_count, 2);
	ck_assert_uint_eq(stack.pid, 1);
	ck_assert(!stacks_get(stacks, left, &stack));
	/* The reply of the unwinder can arrive after the eviction. */
	stacks_resolve(stacks, left, user, 2, STACK_USER_DWARF);
	ck_assert(!stacks_get(stacks, left, &stack));
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
	tcase_add_test(tests, markers_separate_kernel_and_user_frames);
	tcase_add_test(tests, deep_stacks_are_truncated_and_marked);
	tcase_add_test(tests, unused_stacks_are_evicted);
	tcase_add_test(tests, stacks_stay_as_long_as_their_rows);
	tcase_add_test(tests, the_oldest_rows_lose_their_stacks_first);
	tcase_add_test(tests, stacks_that_a_task_holds_stay);
	tcase_add_test(tests, a_pending_stack_and_its_result_are_evicted_together);
	suite_add_tcase(suite, tests);
	return suite;
}
