#include "engine/tasks/deadlocks.h"

#include "tests/unit/runner.h"

#include <string.h>

#define MS 1000000ULL

struct check {
	uint32_t left; /* thread that continued; 0: none */
	unsigned asked;
};

static bool goes_on(void *ctx, const struct deadlock_wait *wait)
{
	struct check *check = ctx;

	check->asked++;
	return wait->tid != check->left;
}

#define WAITS_MAX 8

struct waits {
	struct deadlock_wait waits[WAITS_MAX];
	size_t count;
};

static void add(struct waits *waits, uint32_t tid, uint32_t owner)
{
	waits->waits[waits->count++] = (struct deadlock_wait){
		.pid = 1,
		.tid = tid,
		.uaddr = 16 * owner,
		.enter_ns = 5,
		.owner = owner,
	};
}

static void look(struct deadlocks *deadlocks, struct waits waits, uint64_t ms, struct check *check)
{
	deadlocks_look(deadlocks, waits.waits, waits.count, ms * MS, goes_on, check);
}

START_TEST(only_cycles_are_found)
{
	static const struct {
		const char *name;
		uint32_t pairs[WAITS_MAX][2]; /* waiter, owner */
		uint32_t cycles[3][4]; /* tids of each cycle */
	} cases[] = {
		{ "no waits", { { 0 } }, { { 0 } } },
		{ "one waits for a running thread", { { 1, 2 } }, { { 0 } } },
		{ "many wait for one", { { 1, 9 }, { 2, 9 }, { 3, 9 } }, { { 0 } } },
		{ "a chain", { { 1, 2 }, { 2, 3 }, { 3, 4 } }, { { 0 } } },
		{ "an owner is unknown", { { 1, 2 }, { 2, 0 } }, { { 0 } } },
		{ "two", { { 7, 3 }, { 3, 7 } }, { { 3, 7 } } },
		{ "three, one more waits for them",
		  { { 2, 5 }, { 5, 4 }, { 4, 2 }, { 9, 5 } },
		  { { 2, 5, 4 } } },
		{ "a waiter outside the cycle comes first",
		  { { 1, 5 }, { 5, 4 }, { 4, 5 } },
		  { { 4, 5 } } },
		{ "itself", { { 4, 4 } }, { { 4 } } },
		{ "two cycles",
		  { { 1, 2 }, { 2, 1 }, { 3, 4 }, { 4, 3 } },
		  { { 1, 2 }, { 3, 4 } } },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *name = cases[i].name;
		struct check check = { 0 };
		struct deadlocks deadlocks;
		struct waits waits = { .count = 0 };
		size_t cycles = 0;

		for (size_t j = 0; j < WAITS_MAX && cases[i].pairs[j][0]; j++)
			add(&waits, cases[i].pairs[j][0], cases[i].pairs[j][1]);
		deadlocks_init(&deadlocks);
		look(&deadlocks, waits, 1000, &check);
		while (cycles < 3 && cases[i].cycles[cycles][0])
			cycles++;
		ck_assert_msg(deadlocks.count == cycles, "%s: %zu", name, deadlocks.count);
		ck_assert_msg(deadlocks_doubtful(&deadlocks) == cycles, "%s", name);
		for (size_t j = 0; j < cycles; j++) {
			const struct deadlock *deadlock = &deadlocks.found[j];
			size_t length = 0;

			while (length < 4 && cases[i].cycles[j][length])
				length++;
			ck_assert_msg(deadlock->count == length, "%s", name);
			for (size_t k = 0; k < length; k++) {
				ck_assert_msg(deadlock->waits[k].tid == cases[i].cycles[j][k], "%s",
					      name);
				ck_assert_msg(deadlock->waits[k].owner ==
						      cases[i].cycles[j][(k + 1) % length],
					      "%s", name);
			}
		}
		deadlocks_release(&deadlocks);
	}
}
END_TEST

static struct waits two_wait(void)
{
	struct waits waits = { .count = 0 };

	add(&waits, 1, 2);
	add(&waits, 2, 1);
	return waits;
}

START_TEST(cycle_is_confirmed_after_100_ms)
{
	struct check check = { 0 };
	struct deadlocks deadlocks;

	deadlocks_init(&deadlocks);
	look(&deadlocks, two_wait(), 1000, &check);
	look(&deadlocks, two_wait(), 1099, &check);
	ck_assert(!deadlocks.found[0].confirmed);
	ck_assert_uint_eq(check.asked, 0);
	look(&deadlocks, two_wait(), 1100, &check);
	ck_assert(deadlocks.found[0].confirmed);
	ck_assert_uint_eq(check.asked, 2);
	ck_assert_uint_eq(deadlocks.found[0].found_ns, 1000 * MS);
	ck_assert_uint_eq(deadlocks_doubtful(&deadlocks), 0);
	/* A confirmed cycle is not checked again. */
	look(&deadlocks, two_wait(), 1200, &check);
	ck_assert(deadlocks.found[0].confirmed);
	ck_assert_uint_eq(check.asked, 2);
	look(&deadlocks, (struct waits){ .count = 0 }, 1300, &check);
	ck_assert_uint_eq(deadlocks.count, 0);
	deadlocks_release(&deadlocks);
}
END_TEST

START_TEST(another_wait_is_another_cycle)
{
	struct deadlock_wait others[] = {
		{ .pid = 1, .tid = 1, .uaddr = 32, .enter_ns = 6, .owner = 2 }, /* a later call */
		{ .pid = 1, .tid = 1, .uaddr = 48, .enter_ns = 5, .owner = 2 }, /* another lock */
	};

	for (size_t i = 0; i < 2; i++) {
		struct check check = { 0 };
		struct waits waits = two_wait();
		struct deadlocks deadlocks;

		deadlocks_init(&deadlocks);
		look(&deadlocks, waits, 1000, &check);
		waits.waits[0] = others[i];
		look(&deadlocks, waits, 1150, &check);
		ck_assert_uint_eq(deadlocks_doubtful(&deadlocks), 1);
		look(&deadlocks, waits, 1250, &check);
		ck_assert_uint_eq(deadlocks_doubtful(&deadlocks), 0);
		deadlocks_release(&deadlocks);
	}
}
END_TEST

START_TEST(a_thread_that_continues_breaks_the_deadlock)
{
	struct check check = { .left = 2 };
	struct deadlocks deadlocks;

	deadlocks_init(&deadlocks);
	look(&deadlocks, two_wait(), 1000, &check);
	look(&deadlocks, two_wait(), 1200, &check);
	ck_assert(!deadlocks.found[0].confirmed);
	ck_assert_uint_gt(check.asked, 0);
	deadlocks_release(&deadlocks);
}
END_TEST

Suite *suite_deadlocks(void);
Suite *suite_deadlocks(void)
{
	Suite *suite = suite_create("deadlocks");
	TCase *tcase = tcase_create("deadlocks");

	tcase_add_test(tcase, only_cycles_are_found);
	tcase_add_test(tcase, cycle_is_confirmed_after_100_ms);
	tcase_add_test(tcase, another_wait_is_another_cycle);
	tcase_add_test(tcase, a_thread_that_continues_breaks_the_deadlock);
	suite_add_tcase(suite, tcase);
	return suite;
}
