#include "tui/app/pipe_drain.h"

#include <check.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#define MORE_THAN_A_PIPE (1 << 20)

/* The guard leaves the output to stxtop, and reads it after the end of stxtop. */
START_TEST(writers_outlive_the_reader)
{
	char bytes[4096] = { 0 };
	int ends[2], owner;

	signal(SIGPIPE, SIG_DFL);
	ck_assert(!pipe2(ends, O_CLOEXEC | O_NONBLOCK));
	owner = pipe_drain_new(ends[0]);
	ck_assert_int_ge(owner, 0);
	ck_assert_int_eq(write(ends[1], "own", 3), 3);
	poll(NULL, 0, 20);
	ck_assert_int_eq(read(ends[0], bytes, sizeof(bytes)), 3);
	ck_assert(!memcmp(bytes, "own", 3));
	ck_assert(pipe_drain_is_needed(ends[0]));
	close(ends[0]);
	close(owner);
	fcntl(ends[1], F_SETFL, 0);
	for (int sent = 0; sent < MORE_THAN_A_PIPE; sent += (int)sizeof(bytes))
		ck_assert_int_eq(write(ends[1], bytes, sizeof(bytes)), sizeof(bytes));
	close(ends[1]);
}
END_TEST

START_TEST(a_pipe_without_writers_needs_no_guard)
{
	int ends[2];

	ck_assert(!pipe2(ends, O_CLOEXEC));
	ck_assert_int_eq(write(ends[1], "last", 4), 4);
	ck_assert(pipe_drain_is_needed(ends[0]));
	close(ends[1]);
	ck_assert(!pipe_drain_is_needed(ends[0]));
	close(ends[0]);
}
END_TEST

Suite *suite_pipe_drain(void);
Suite *suite_pipe_drain(void)
{
	Suite *suite = suite_create("pipe_drain");
	TCase *tcase = tcase_create("pipe_drain");

	tcase_add_test(tcase, writers_outlive_the_reader);
	tcase_add_test(tcase, a_pipe_without_writers_needs_no_guard);
	suite_add_tcase(suite, tcase);
	return suite;
}
