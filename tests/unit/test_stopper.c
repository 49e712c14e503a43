#include "engine/process/stopper.h"

#include "engine/base/clock.h"
#include "tests/unit/runner.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define WAIT_NS (20 * NS_PER_S)

static struct stopper *stopper;
static struct err err;
static pid_t child;

static char state_of(pid_t pid)
{
	char path[64], text[512] = "";
	FILE *file;
	char *at;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = fopen(path, "r");
	if (!file)
		return '-';
	if (!fgets(text, sizeof(text), file))
		text[0] = '\0';
	fclose(file);
	at = strrchr(text, ')');
	return at ? at[2] : '-';
}

static bool becomes(pid_t pid, bool stopped)
{
	uint64_t until_ns = clock_now_ns() + WAIT_NS;

	do {
		if ((state_of(pid) == 'T') == stopped)
			return true;
		usleep(1000);
	} while (clock_now_ns() < until_ns);
	return false;
}

static pid_t sleeper(void)
{
	pid_t pid = fork();

	if (!pid)
		for (;;)
			pause();
	return pid;
}

static void setup(void)
{
	ck_assert_msg(!stopper_new(&stopper, &err), "%s", err.text);
	child = sleeper();
}

static void teardown(void)
{
	stopper_free(stopper);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

START_TEST(what_is_stopped_goes_on_when_it_is_resumed)
{
	uint32_t pids[STOPPER_MAX];

	ck_assert_msg(!stopper_stop(stopper, (uint32_t)child, clock_now_ns(), &err), "%s",
		      err.text);
	ck_assert(becomes(child, true));
	ck_assert_uint_eq(stopper_stopped(stopper, pids), 1);
	ck_assert_uint_eq(pids[0], (uint32_t)child);
	stopper_resume(stopper);
	ck_assert(becomes(child, false));
	ck_assert_uint_eq(stopper_stopped(stopper, pids), 0);
	/* Stopped by somebody else since, it is not ours to continue. */
	kill(child, SIGSTOP);
	ck_assert(becomes(child, true));
	stopper_free(stopper);
	ck_assert_int_eq(state_of(child), 'T');
	ck_assert(!stopper_new(&stopper, &err));
	ck_assert_int_lt(stopper_stop(stopper, (uint32_t)child, clock_now_ns(), &err), 0);
	ck_assert_ptr_nonnull(strstr(err.text, "still already"));
}
END_TEST

START_TEST(it_goes_on_when_the_stopper_is_freed)
{
	ck_assert(!stopper_stop(stopper, (uint32_t)child, clock_now_ns(), &err));
	ck_assert(becomes(child, true));
	stopper_free(stopper);
	stopper = NULL;
	ck_assert(becomes(child, false));
}
END_TEST

/* A program in between, which is killed while it holds the process. */
static void kill_program(bool with_cont_guard)
{
	int reported[2];
	pid_t program, cont_guard;

	ck_assert(!pipe(reported));
	program = fork();
	if (!program) {
		struct stopper *own;

		if (!stopper_new(&own, &err) &&
		    !stopper_stop(own, (uint32_t)child, clock_now_ns(), &err) &&
		    (cont_guard = stopper_cont_guard_pid(own)) > 0 &&
		    write(reported[1], &cont_guard, sizeof(cont_guard)) == sizeof(cont_guard))
			for (;;)
				pause();
		_exit(1);
	}
	ck_assert_int_eq(read(reported[0], &cont_guard, sizeof(cont_guard)), sizeof(cont_guard));
	ck_assert(becomes(child, true));
	/* The guard first: it is not to see the end of the program. */
	if (with_cont_guard)
		kill(cont_guard, SIGKILL);
	kill(program, SIGKILL);
	waitpid(program, NULL, 0);
	ck_assert(becomes(child, false));
}

START_TEST(it_goes_on_when_the_program_is_killed)
{
	kill_program(false);
}
END_TEST

START_TEST(it_goes_on_when_all_of_the_program_is_killed)
{
	kill_program(true);
}
END_TEST

/* Nothing that happens to the sockets while the program lives continues it. */
START_TEST(it_stays_stopped_while_the_program_lives)
{
	ck_assert(!stopper_stop(stopper, (uint32_t)child, clock_now_ns(), &err));
	ck_assert(becomes(child, true));
	kill(stopper_cont_guard_pid(stopper), SIGKILL);
	usleep(50000);
	ck_assert_int_eq(state_of(child), 'T');
	stopper_resume(stopper);
	ck_assert(becomes(child, false));
}
END_TEST

static uint64_t ms_now(void)
{
	return clock_now_ns() / NS_PER_MS;
}

/* Whoever stops the guard does not keep this program from ending. */
START_TEST(a_cont_guard_that_is_stopped_is_not_waited_for)
{
	uint64_t began_ms;

	ck_assert(!stopper_stop(stopper, (uint32_t)child, clock_now_ns(), &err));
	kill(stopper_cont_guard_pid(stopper), SIGSTOP);
	ck_assert(becomes(stopper_cont_guard_pid(stopper), true));
	began_ms = ms_now();
	stopper_free(stopper);
	stopper = NULL;
	ck_assert_uint_lt(ms_now() - began_ms, 2000);
	ck_assert(becomes(child, false));
}
END_TEST

static bool is_kthreadd(int pid)
{
	char path[64], name[32] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	file = fopen(path, "re");
	if (!file)
		return false;
	if (!fgets(name, sizeof(name), file))
		name[0] = '\0';
	fclose(file);
	return !strcmp(name, "kthreadd\n");
}

START_TEST(what_must_go_on_is_refused)
{
	const struct {
		const char *name;
		uint32_t pid;
		const char *why;
	} cases[] = {
		{ "itself", (uint32_t)getpid(), "was started from it" },
		{ "its parent", (uint32_t)getppid(), "was started from it" },
		{ "the keeper", (uint32_t)stopper_cont_guard_pid(stopper), "this program is it" },
		{ "the first process", 1, "first process" },
		{ "nobody", 0, "process 0" },
		{ "a number that is none", 1u << 30, "process" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ck_assert_msg(stopper_stop(stopper, cases[i].pid, clock_now_ns(), &err) < 0, "%s",
			      cases[i].name);
		ck_assert_msg(strstr(err.text, cases[i].why), "%s: %s", cases[i].name, err.text);
	}
	/* Another process in a PID namespace. */
	if (is_kthreadd(2)) {
		ck_assert_int_lt(stopper_stop(stopper, 2, clock_now_ns(), &err), 0);
		ck_assert_msg(strstr(err.text, "kernel"), "%s", err.text);
	}
}
END_TEST

/* The call was made before this process was started: by one whose number it has now. */
START_TEST(another_process_of_the_same_number_is_left_alone)
{
	uint64_t before_ns = clock_now_ns() - 60 * NS_PER_S;

	ck_assert_int_lt(stopper_stop(stopper, (uint32_t)child, before_ns, &err), 0);
	ck_assert_msg(strstr(err.text, "another one's"), "%s", err.text);
	ck_assert_int_ne(state_of(child), 'T');
}
END_TEST

START_TEST(a_process_that_exited_is_reported)
{
	pid_t gone = sleeper();

	kill(gone, SIGKILL);
	while (state_of(gone) != 'Z')
		usleep(1000);
	ck_assert_int_lt(stopper_stop(stopper, (uint32_t)gone, clock_now_ns(), &err), 0);
	ck_assert_msg(strstr(err.text, "ended"), "%s", err.text);
	waitpid(gone, NULL, 0);
}
END_TEST

START_TEST(more_than_it_holds_are_refused)
{
	pid_t many[STOPPER_MAX + 1];

	for (int i = 0; i <= STOPPER_MAX; i++) {
		int rc;

		many[i] = sleeper();
		rc = stopper_stop(stopper, (uint32_t)many[i], clock_now_ns(), &err);
		ck_assert_int_eq(rc, i < STOPPER_MAX ? 0 : -EBUSY);
	}
	stopper_free(stopper);
	stopper = NULL;
	for (int i = 0; i <= STOPPER_MAX; i++) {
		ck_assert(becomes(many[i], false));
		kill(many[i], SIGKILL);
		waitpid(many[i], NULL, 0);
	}
}
END_TEST

Suite *suite_stopper(void);
Suite *suite_stopper(void)
{
	Suite *suite = suite_create("stopper");
	TCase *tests = tcase_create("stopper");

	tcase_set_timeout(tests, 30);
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, what_is_stopped_goes_on_when_it_is_resumed);
	tcase_add_test(tests, it_goes_on_when_the_stopper_is_freed);
	tcase_add_test(tests, it_goes_on_when_the_program_is_killed);
	tcase_add_test(tests, it_goes_on_when_all_of_the_program_is_killed);
	tcase_add_test(tests, it_stays_stopped_while_the_program_lives);
	tcase_add_test(tests, a_cont_guard_that_is_stopped_is_not_waited_for);
	tcase_add_test(tests, what_must_go_on_is_refused);
	tcase_add_test(tests, another_process_of_the_same_number_is_left_alone);
	tcase_add_test(tests, a_process_that_exited_is_reported);
	tcase_add_test(tests, more_than_it_holds_are_refused);
	suite_add_tcase(suite, tests);
	return suite;
}
