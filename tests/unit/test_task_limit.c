#include "engine/collector/task_limit.h"

#include "tests/unit/runner.h"

static struct record of(uint32_t pid, uint32_t tid, enum record_kind kind)
{
	return (struct record){ .kind = kind, .pid = pid, .tid = tid, .time_ns = 5 };
}

START_TEST(tids_that_no_kernel_assigns_are_rejected)
{
	struct record child = of(7, 7, RECORD_FORK), waking = of(8, 8, RECORD_WAKING);
	struct record sound = of(9, UINT32_MAX, RECORD_ENTER);
	struct task_limit task_limit;

	task_limit_init(&task_limit, 10);
	ck_assert(task_limit_admit(&task_limit, &sound));
	child.fork.parent_pid = TASK_LIMIT_TIDS;
	ck_assert(!task_limit_admit(&task_limit, &child));
	waking.waking.tid = 0x7fffffff;
	ck_assert(!task_limit_admit(&task_limit, &waking));
	sound.pid = TASK_LIMIT_TIDS;
	ck_assert(!task_limit_admit(&task_limit, &sound));
	sound.pid = TASK_LIMIT_TIDS - 1;
	ck_assert(task_limit_admit(&task_limit, &sound));
	ck_assert_uint_eq(task_limit.rejected, 3);
	task_limit_release(&task_limit);
}
END_TEST

/* At most the given number of tasks is alive; the next task in tid order is evicted. */
START_TEST(excess_tasks_are_evicted_in_tid_order)
{
	struct task_limit task_limit;
	struct record gone;
	unsigned left = 0;

	task_limit_init(&task_limit, 100);
	for (uint32_t tid = 1; tid <= 1000; tid++) {
		struct record record = of(tid, tid, RECORD_ENTER);

		ck_assert(task_limit_admit(&task_limit, &record));
		while (task_limit_next_evicted(&task_limit, 17, &gone)) {
			ck_assert_int_eq(gone.kind, RECORD_TASK_EXIT);
			ck_assert_uint_eq(gone.tid, ++left);
			ck_assert_uint_eq(gone.pid, gone.tid);
			ck_assert_uint_eq(gone.time_ns, 17);
		}
		ck_assert_uint_eq(task_limit.count, tid < 100 ? tid : 100);
	}
	ck_assert_uint_eq(task_limit.evicted, 900);
	task_limit_clear(&task_limit);
	ck_assert_uint_eq(task_limit.count, 0);
	task_limit_release(&task_limit);
}
END_TEST

START_TEST(a_task_exit_makes_room)
{
	struct task_limit task_limit;
	struct record gone;

	task_limit_init(&task_limit, 2);
	for (uint32_t tid = 1; tid <= 50; tid++) {
		struct record record = of(1, tid, RECORD_ENTER), end = of(1, tid, RECORD_TASK_EXIT);

		ck_assert(task_limit_admit(&task_limit, &record));
		ck_assert(!task_limit_next_evicted(&task_limit, 1, &gone));
		ck_assert(tid == 1 || task_limit_admit(&task_limit, &end));
	}
	task_limit_release(&task_limit);
}
END_TEST

Suite *suite_task_limit(void);

Suite *suite_task_limit(void)
{
	Suite *suite = suite_create("task_limit");
	TCase *tcase = tcase_create("task_limit");

	tcase_add_test(tcase, tids_that_no_kernel_assigns_are_rejected);
	tcase_add_test(tcase, excess_tasks_are_evicted_in_tid_order);
	tcase_add_test(tcase, a_task_exit_makes_room);
	suite_add_tcase(suite, tcase);
	return suite;
}
