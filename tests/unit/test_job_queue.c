#include "engine/base/job_queue.h"

#include <check.h>
#include <poll.h>
#include <stdatomic.h>

static void count(void *ctx)
{
	atomic_fetch_add((atomic_int *)ctx, 1);
}

static void wait_for_answer(struct job_queue *job_queue)
{
	struct pollfd fd = { .fd = job_queue_fd(job_queue), .events = POLLIN };

	ck_assert_int_eq(poll(&fd, 1, -1), 1);
	job_queue_seen(job_queue);
}

/* A caller that submits again before it checks must still see the first result. */
START_TEST(resubmitting_keeps_an_unread_result)
{
	atomic_int runs = 0;
	struct job job = { .run = count, .ctx = &runs };
	struct job_queue *job_queue;
	struct err err;

	ck_assert_msg(!job_queue_new(&job_queue, &err), "%s", err.text);
	ck_assert(!job_is_pending(&job));
	job_submit(&job, job_queue);
	ck_assert(job_is_pending(&job));
	wait_for_answer(job_queue);
	ck_assert(job_is_pending(&job));
	job_submit(&job, job_queue);
	ck_assert(job_is_done(&job));
	ck_assert(!job_is_done(&job));
	ck_assert(!job_is_pending(&job));
	ck_assert_int_eq(runs, 1);
	job_cancel(&job);
	job_queue_free(job_queue);
}
END_TEST

START_TEST(job_without_a_thread_runs_immediately)
{
	atomic_int runs = 0;
	struct job job = { .run = count, .ctx = &runs };

	for (int i = 1; i <= 2; i++) {
		job_submit(&job, NULL);
		job_submit(&job, NULL);
		ck_assert_int_eq(runs, i);
		ck_assert(job_is_done(&job));
		ck_assert(!job_is_pending(&job));
	}
}
END_TEST

Suite *suite_job_queue(void);
Suite *suite_job_queue(void)
{
	Suite *suite = suite_create("job_queue");
	TCase *tcase = tcase_create("job_queue");

	tcase_add_test(tcase, resubmitting_keeps_an_unread_result);
	tcase_add_test(tcase, job_without_a_thread_runs_immediately);
	suite_add_tcase(suite, tcase);
	return suite;
}
