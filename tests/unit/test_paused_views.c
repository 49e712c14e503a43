/* Views that are opened while the display is paused. */
#include "engine/base/job_queue.h"
#include "tests/unit/recorded_shell.h"
#include "tests/unit/runner.h"

#include <poll.h>
#include <string.h>

#define RECORDING "tests/replay/contention.data"

static struct recorded_shell on;

/* Key of a view; title and row that it shows for the recording. */
static const struct {
	const char *key, *title, *row;
} views[] = {
	{ "1", "Processes 1 ", "contention" }, { "2", "Processes 1 ", "contention" },
	{ "3", "System calls ", "futex " },    { "4", "Calls ", "futex(0x" },
	{ "6", "Futexes 3 ", "contention/" },  { "7", "Files 1 ", "(unknown)" },
	{ "8", "Stacks ", "[kernel]" },
};
#define VIEWS (sizeof(views) / sizeof(views[0]))

static void check_view(size_t view)
{
	recorded_shell_press(&on, views[view].key);
	ck_assert_msg(recorded_shell_row(&on, views[view].title) >= 0, "view %s: no %s",
		      views[view].key, views[view].title);
	ck_assert_msg(recorded_shell_row(&on, views[view].row) >= 0, "view %s: no %s",
		      views[view].key, views[view].row);
}

static void teardown(void)
{
	recorded_shell_close(&on);
}

static void filter(const char *text)
{
	recorded_shell_press(&on, "F4");
	recorded_shell_press(&on, "Ctrl-U");
	recorded_shell_type(&on, text);
	recorded_shell_press(&on, "Enter");
}

/* No view read data before the pause. */
START_TEST(a_view_first_opened_in_a_pause_is_read)
{
	recorded_shell_begin(&on, RECORDING);
	on.shell.session.paused = true;
	recorded_shell_settle(&on);
	for (size_t i = 0; i < VIEWS; i++)
		check_view((i + (size_t)_i) % VIEWS);
	filter("syscall == futex");
	for (size_t i = 0; i < VIEWS; i++)
		if (strcmp(views[i].key, "7"))
			check_view(i);
}
END_TEST

static bool has_futex(void)
{
	return recorded_shell_row(&on, "futex ") >= 0;
}

/* Change the filter of the engine alone: a view that reads again gets other totals. */
static void change_sums(void)
{
	struct filter_error error;
	struct filter *filter;

	ck_assert(
		!filter_parse(&filter, "syscall == mmap", engine_filter_names(on.engine), &error));
	engine_set_filter(on.engine, filter);
	filter_free(filter);
	on.shell.session.status.filter_pending = on.shell.session.busy = true;
	recorded_shell_settle(&on);
}

START_TEST(visible_rows_stay_in_a_pause)
{
	recorded_shell_open(&on, RECORDING);
	recorded_shell_press(&on, "3");
	on.shell.session.paused = true;
	recorded_shell_settle(&on);
	change_sums();
	ck_assert(has_futex());
	recorded_shell_press(&on, "9");
	recorded_shell_press(&on, "3");
	ck_assert(has_futex());
}
END_TEST

START_TEST(a_view_left_before_the_pause_is_read_again)
{
	recorded_shell_open(&on, RECORDING);
	recorded_shell_press(&on, "3");
	ck_assert(has_futex());
	recorded_shell_press(&on, "9");
	on.shell.session.paused = true;
	change_sums();
	recorded_shell_press(&on, "3");
	ck_assert(!has_futex());
}
END_TEST

static void wait_for_answer(struct job_queue *job_queue)
{
	struct pollfd fd = { .fd = job_queue_fd(job_queue), .events = POLLIN };

	ck_assert_int_eq(poll(&fd, 1, -1), 1);
	job_queue_seen(job_queue);
}

/* The user pauses before the reply to the first query: apply it, as no other reply follows. */
START_TEST(a_first_reply_is_applied_in_a_pause)
{
	struct session *session = &on.shell.session;
	struct job_queue *job_queue;
	struct err err;

	recorded_shell_begin(&on, RECORDING);
	ck_assert_msg(!job_queue_new(&job_queue, &err), "%s", err.text);
	session->job_queue = job_queue;
	/* Mark the playback position as seen: a change would force another query. */
	engine_play_status(on.engine, &session->play);
	session->play_version = session->play.version;
	shell_refresh(&on.shell, true);
	session->paused = true;
	wait_for_answer(job_queue);
	shell_refresh(&on.shell, true);
	ck_assert_ptr_nonnull(session->rows);
	ck_assert_uint_eq(session->rows->count, 1);
	ck_assert(session->in_flight_known);
	recorded_shell_close(&on);
	job_queue_free(job_queue);
	recorded_shell_begin(&on, RECORDING); /* for teardown() */
}
END_TEST

Suite *suite_paused_views(void);
Suite *suite_paused_views(void)
{
	Suite *suite = suite_create("paused_views");
	TCase *tests = tcase_create("paused_views");

	tcase_add_checked_fixture(tests, NULL, teardown);
	tcase_add_loop_test(tests, a_view_first_opened_in_a_pause_is_read, 0, (int)VIEWS);
	tcase_add_test(tests, visible_rows_stay_in_a_pause);
	tcase_add_test(tests, a_view_left_before_the_pause_is_read_again);
	tcase_add_test(tests, a_first_reply_is_applied_in_a_pause);
	suite_add_tcase(suite, tests);
	return suite;
}
