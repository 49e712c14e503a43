#include "tui/dialogs/shutdown.h"

#include "tests/unit/runner.h"

#include <check.h>
#include <stdatomic.h>
#include <unistd.h>

static void note(void *ctx)
{
	atomic_store((atomic_int *)ctx, 1);
}

static void hang(void *ctx)
{
	while (!atomic_load((atomic_int *)ctx))
		usleep(1000);
	atomic_store((atomic_int *)ctx, 2);
}

START_TEST(a_function_that_returns_is_waited_for)
{
	struct shutdown shutdown = { .stuck = false };
	atomic_int done = 0;

	ck_assert(shutdown_run(&shutdown, note, &done, 10000));
	ck_assert_int_eq(atomic_load(&done), 1);
	ck_assert(!shutdown.stuck);
}
END_TEST

START_TEST(after_a_hanging_function_no_other_runs)
{
	static atomic_int go, later; /* static: the thread can outlive this function */
	struct shutdown shutdown = { .stuck = false };

	ck_assert(!shutdown_run(&shutdown, hang, &go, 10));
	ck_assert(shutdown.stuck);
	ck_assert(!shutdown_run(&shutdown, note, &later, 10000));
	ck_assert_int_eq(atomic_load(&later), 0);
	atomic_store(&go, 1);
	while (atomic_load(&go) != 2)
		usleep(1000);
}
END_TEST

Suite *suite_shutdown(void);
Suite *suite_shutdown(void)
{
	Suite *suite = suite_create("shutdown");
	TCase *tests = tcase_create("shutdown");

	tcase_add_test(tests, a_function_that_returns_is_waited_for);
	tcase_add_test(tests, after_a_hanging_function_no_other_runs);
	suite_add_tcase(suite, tests);
	return suite;
}
