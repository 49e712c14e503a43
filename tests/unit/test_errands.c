#include "engine/base/job_queue.h"

#include <check.h>
#include <poll.h>
#include <stdatomic.h>

static void count(void *ctx)
{
	atomic_fetch_add((atomic_int *)ctx, 1);
}

static void wait_for_answer(struct errands *errands)
{
	struct pollfd fd = { .fd = errands_fd(errands), .events = POLLIN };

	ck_assert_int_eq(poll(&fd, 1, -1), 1);
	errands_seen(errands);
}

/* Else a caller that sends before it takes would never see an answer. */
START_TEST(sending_again_keeps_an_answer_that_was_not_taken)
{
	atomic_int runs = 0;
	struct errand errand = { .run = count, .ctx = &runs };
	struct errands *errands;
	struct err err;

	ck_assert_msg(!errands_new(&errands, &err), "%s", err.text);
	ck_assert(!errand_is_pending(&errand));
	errand_send(&errand, errands);
	ck_assert(errand_is_pending(&errand));
	wait_for_answer(errands);
	ck_assert(errand_is_pending(&errand));
	errand_send(&errand, errands);
	ck_assert(errand_is_back(&errand));
	ck_assert(!errand_is_back(&errand));
	ck_assert(!errand_is_pending(&errand));
	ck_assert_int_eq(runs, 1);
	errand_recall(&errand);
	errands_free(errands);
}
END_TEST

START_TEST(without_a_thread_it_runs_at_once)
{
	atomic_int runs = 0;
	struct errand errand = { .run = count, .ctx = &runs };

	for (int i = 1; i <= 2; i++) {
		errand_send(&errand, NULL);
		errand_send(&errand, NULL);
		ck_assert_int_eq(runs, i);
		ck_assert(errand_is_back(&errand));
		ck_assert(!errand_is_pending(&errand));
	}
}
END_TEST

Suite *suite_errands(void);
Suite *suite_errands(void)
{
	Suite *suite = suite_create("errands");
	TCase *tcase = tcase_create("errands");

	tcase_add_test(tcase, sending_again_keeps_an_answer_that_was_not_taken);
	tcase_add_test(tcase, without_a_thread_it_runs_at_once);
	suite_add_tcase(suite, tcase);
	return suite;
}
