/* Search for calls in the overview of a recording. */
#include "tui/calls/call_search.h"

#include "tests/unit/recorded_shell.h"
#include "tests/unit/runner.h"

#include <stdlib.h>
#include <string.h>

static struct recorded_shell on;

static void open_contention(void)
{
	recorded_shell_open(&on, "tests/replay/contention.data");
	recorded_shell_press(&on, "Tab");
}

static void open_held(void)
{
	recorded_shell_open(&on, "tests/replay/held.data");
	recorded_shell_press(&on, "Tab");
}

static void close_shell(void)
{
	recorded_shell_close(&on);
}

static void search_for(const char *text)
{
	recorded_shell_press(&on, "/");
	recorded_shell_type(&on, text);
	recorded_shell_press(&on, "Enter");
}

static const struct call *chosen(void)
{
	ck_assert(on.shell.session.has_subject_call);
	return &on.shell.session.subject_call;
}

static const char *chosen_name(void)
{
	return syscalls_info(engine_syscalls(on.engine), chosen()->nr)->name;
}

START_TEST(the_first_call_is_found_from_the_last)
{
	uint64_t time_ns;

	search_for("EXECVE");
	ck_assert_str_eq(chosen_name(), "execve");
	time_ns = chosen()->enter_ns;
	recorded_shell_press(&on, "n"); /* the only match: wraps around to it */
	ck_assert_uint_eq(chosen()->enter_ns, time_ns);
	recorded_shell_press(&on, "N");
	ck_assert_uint_eq(chosen()->enter_ns, time_ns);
}
END_TEST

START_TEST(next_and_previous_are_opposites)
{
	uint64_t times[4];

	recorded_shell_press(&on, "Home");
	search_for("mprotect(");
	for (int i = 0; i < 4; i++) {
		times[i] = chosen()->enter_ns;
		ck_assert_str_eq(chosen_name(), "mprotect");
		if (i)
			ck_assert_uint_gt(times[i], times[i - 1]);
		recorded_shell_press(&on, "n");
	}
	for (int i = 4; i-- > 0;) {
		recorded_shell_press(&on, "N");
		ck_assert_uint_eq(chosen()->enter_ns, times[i]);
	}
}
END_TEST

START_TEST(failed_search_is_reported)
{
	search_for("no such call");
	ck_assert_int_ge(recorded_shell_row(&on, "Not found: no such call"), 0);
}
END_TEST

/* A search skips calls that the filter hides. */
START_TEST(a_filter_holds_for_a_search)
{
	recorded_shell_press(&on, "\\");
	recorded_shell_type(&on, "syscall == futex");
	recorded_shell_press(&on, "Enter");
	search_for("execve");
	ck_assert_int_ge(recorded_shell_row(&on, "Not found: execve"), 0);
}
END_TEST

START_TEST(stopped_search_is_reported)
{
	struct call_search search;
	struct session *session = &on.shell.session;
	struct call_cells cells;

	call_search_init(&search);
	call_cells_init(&cells);
	call_search_text(&search, session, 0, 1, "no such call");
	ck_assert(search.running);
	ck_assert(call_search_stop(&search, session));
	ck_assert(!search.running);
	ck_assert_int_ge(recorded_shell_row(&on, "Search for no such call cancelled"), 0);
	ck_assert(!call_search_stop(&search, session));
	call_cells_release(&cells);
	call_search_release(&search);
}
END_TEST

START_TEST(calls_on_one_descriptor_follow_each_other)
{
	int fd, calls = 0;
	uint64_t time_ns;

	recorded_shell_press(&on, "Home");
	search_for("read(");
	fd = (int)chosen()->args[0];
	time_ns = chosen()->enter_ns;
	for (;;) {
		recorded_shell_press(&on, "]");
		if (recorded_shell_row(&on, "No later call on file descriptor") >= 0)
			break;
		ck_assert_uint_gt(chosen()->enter_ns, time_ns);
		time_ns = chosen()->enter_ns;
		ck_assert_int_eq((int)chosen()->args[0] == fd || (int)chosen()->args[4] == fd, 1);
		ck_assert_int_lt(++calls, 100);
	}
	ck_assert_int_gt(calls, 1);
	recorded_shell_press(&on, "[");
	ck_assert_uint_lt(chosen()->enter_ns, time_ns);
}
END_TEST

START_TEST(calls_in_flight_are_found_too)
{
	search_for("pause()");
	ck_assert_str_eq(chosen_name(), "pause");
	ck_assert_int_eq(chosen()->state, CALL_IN_FLIGHT);
	search_for("execve(");
	ck_assert_str_eq(chosen_name(), "execve");
	recorded_shell_press(&on, "/");
	recorded_shell_type(&on, "pause()");
	recorded_shell_press(&on, "Enter");
	ck_assert_int_eq(chosen()->state, CALL_IN_FLIGHT);
}
END_TEST

Suite *suite_call_search(void);

Suite *suite_call_search(void)
{
	Suite *suite = suite_create("call_search");
	TCase *contention = tcase_create("contention");
	TCase *held = tcase_create("held");

	tcase_add_checked_fixture(contention, open_contention, close_shell);
	tcase_add_test(contention, the_first_call_is_found_from_the_last);
	tcase_add_test(contention, next_and_previous_are_opposites);
	tcase_add_test(contention, failed_search_is_reported);
	tcase_add_test(contention, a_filter_holds_for_a_search);
	tcase_add_test(contention, stopped_search_is_reported);
	tcase_add_test(contention, calls_on_one_descriptor_follow_each_other);
	tcase_set_timeout(contention, 20);
	suite_add_tcase(suite, contention);
	tcase_add_checked_fixture(held, open_held, close_shell);
	tcase_add_test(held, calls_in_flight_are_found_too);
	tcase_set_timeout(held, 20);
	suite_add_tcase(suite, held);
	return suite;
}
