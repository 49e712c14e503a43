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

START_TEST(a_stopped_process_continues_on_resume)
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
	/* Now stopped by another process: the stopper does not continue it. */
	kill(child, SIGSTOP);
	ck_assert(becomes(child, true));
	stopper_free(stopper);
	ck_assert_int_eq(state_of(child), 'T');
	ck_assert(!stopper_new(&stopper, &err));
	ck_assert_int_lt(stopper_stop(stopper, (uint32_t)child, clock_now_ns(), &err), 0);
	ck_assert_ptr_nonnull(strstr(err.text, "already stopped"));
}
END_TEST

START_TEST(a_stopped_process_continues_when_the_stopper_is_freed)
{
	ck_assert(!stopper_stop(stopper, (uint32_t)child, clock_now_ns(), &err));
	ck_assert(becomes(child, true));
	stopper_free(stopper);
	stopper = NULL;
	ck_assert(becomes(child, false));
}
END_TEST

/* Let another program stop the child; kill that program. with_cont_guard: kill its guard, too. */
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
	/* Kill the guard first, so that it does not notice the end of the program. */
	if (with_cont_guard)
		kill(cont_guard, SIGKILL);
	kill(program, SIGKILL);
	waitpid(program, NULL, 0);
	ck_assert(becomes(child, false));
}

START_TEST(a_stopped_process_continues_when_the_program_is_killed)
{
	kill_program(false);
}
END_TEST

START_TEST(a_stopped_process_continues_when_the_guard_is_killed_too)
{
	kill_program(true);
}
END_TEST

/* The end of the guard does not continue the process while the program lives. */
START_TEST(a_stopped_process_stays_stopped_without_the_guard)
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

/* A stopped guard does not keep this program from exiting. */
START_TEST(a_stopped_cont_guard_is_not_waited_for)
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

START_TEST(processes_that_must_run_are_refused)
{
	const struct {
		const char *name;
		uint32_t pid;
		const char *why;
	} cases[] = {
		{ "itself", (uint32_t)getpid(), "one of its ancestors" },
		{ "its parent", (uint32_t)getppid(), "one of its ancestors" },
		{ "the guard", (uint32_t)stopper_cont_guard_pid(stopper), "it is stxtop" },
		{ "the first process", 1, "first process" },
		{ "pid 0", 0, "process 0" },
		{ "an invalid pid", 1u << 30, "process" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ck_assert_msg(stopper_stop(stopper, cases[i].pid, clock_now_ns(), &err) < 0, "%s",
			      cases[i].name);
		ck_assert_msg(strstr(err.text, cases[i].why), "%s: %s", cases[i].name, err.text);
	}
	/* In a pid namespace, pid 2 can be another process. */
	if (is_kthreadd(2)) {
		ck_assert_int_lt(stopper_stop(stopper, 2, clock_now_ns(), &err), 0);
		ck_assert_msg(strstr(err.text, "kernel"), "%s", err.text);
	}
}
END_TEST

/* The call is older than this process: an earlier process with the same pid made it. */
START_TEST(a_reused_pid_is_refused)
{
	uint64_t before_ns = clock_now_ns() - 60 * NS_PER_S;

	ck_assert_int_lt(stopper_stop(stopper, (uint32_t)child, before_ns, &err), 0);
	ck_assert_msg(strstr(err.text, "pid was reused"), "%s", err.text);
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
	ck_assert_msg(strstr(err.text, "exited"), "%s", err.text);
	waitpid(gone, NULL, 0);
}
END_TEST

START_TEST(too_many_processes_are_refused)
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
	tcase_add_test(tests, a_stopped_process_continues_on_resume);
	tcase_add_test(tests, a_stopped_process_continues_when_the_stopper_is_freed);
	tcase_add_test(tests, a_stopped_process_continues_when_the_program_is_killed);
	tcase_add_test(tests, a_stopped_process_continues_when_the_guard_is_killed_too);
	tcase_add_test(tests, a_stopped_process_stays_stopped_without_the_guard);
	tcase_add_test(tests, a_stopped_cont_guard_is_not_waited_for);
	tcase_add_test(tests, processes_that_must_run_are_refused);
	tcase_add_test(tests, a_reused_pid_is_refused);
	tcase_add_test(tests, a_process_that_exited_is_reported);
	tcase_add_test(tests, too_many_processes_are_refused);
	suite_add_tcase(suite, tests);
	return suite;
}
