#include "engine/helper/worker_timeout.h"

#include "tests/unit/runner.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

START_TEST(a_hanging_or_computing_worker_has_a_second)
{
	static const struct {
		uint64_t wall_ms, cpu_ms;
		char state;
		bool allowed;
	} cases[] = {
		{ 0, 0, 'R', true },
		{ 999, 999, 'R', true },
		{ 999, 0, 'T', true },
		{ 1000, 0, 'T', false },
		{ 1000, 0, 't', false },
		{ 1000, 100, 'S', false },
		{ 1000, 800, 'R', false },
		{ 1000, 1000, 'D', false },
		/* The CPU or the disk is busy. */
		{ 1000, 799, 'R', true },
		{ 1000, 10, 'D', true },
		{ 4999, 799, 'R', true },
		{ 4999, 801, 'R', false },
		{ 5000, 0, 'D', false },
		/* The worker gets no CPU. */
		{ 5000, 0, 'R', true },
		{ 29999, 100, 'R', true },
		{ 30000, 100, 'R', false },
		/* A state that cannot be read. */
		{ 1000, 10, 0, true },
		{ 1000, 800, 0, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ck_assert_msg(worker_timeout_allows(false, cases[i].wall_ms * NS_PER_MS,
						    cases[i].cpu_ms * NS_PER_MS,
						    cases[i].state) == cases[i].allowed,
			      "case %zu", i);
}
END_TEST

/* The result does not depend on other load of the machine. */
START_TEST(for_a_recording_only_cpu_time_counts)
{
	static const struct {
		uint64_t wall_ms, cpu_ms;
		char state;
		bool allowed;
	} cases[] = {
		{ 600000, 4999, 'R', true }, { 600000, 10, 'D', true }, { 5000, 5000, 'R', false },
		{ 1000, 0, 'T', false },     { 1000, 0, 'S', false },   { 5000, 0, 0, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ck_assert_msg(worker_timeout_allows(true, cases[i].wall_ms * NS_PER_MS,
						    cases[i].cpu_ms * NS_PER_MS,
						    cases[i].state) == cases[i].allowed,
			      "case %zu", i);
}
END_TEST

static pid_t start(bool computes)
{
	pid_t pid = fork();

	ck_assert_int_ge(pid, 0);
	while (pid == 0)
		if (!computes)
			pause();
	return pid;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
}

static uint64_t measure_ms(pid_t pid)
{
	struct worker_timeout worker_timeout;
	uint64_t begin = clock_now_ns();

	worker_timeout_begin(&worker_timeout, pid, false);
	while (worker_timeout_lasts(&worker_timeout)) {
		ck_assert_int_gt(worker_timeout_wait_ms(&worker_timeout), 0);
		usleep((unsigned int)worker_timeout_wait_ms(&worker_timeout) * 1000);
	}
	return (clock_now_ns() - begin) / NS_PER_MS;
}

START_TEST(a_stopped_worker_gets_no_more_time)
{
	pid_t waits = start(false), stopped = start(true);

	kill(stopped, SIGSTOP);
	ck_assert_int_eq(waitpid(stopped, NULL, WUNTRACED), stopped);
	ck_assert_uint_ge(measure_ms(waits), 1000);
	ck_assert_uint_ge(measure_ms(stopped), 1000);
	end(waits);
	end(stopped);
}
END_TEST

/* All processes on one CPU: a second of CPU time takes several seconds. */
START_TEST(a_worker_without_a_cpu_gets_more_time)
{
	pid_t computes[4];
	cpu_set_t all, one;
	int cpu = 0;

	ck_assert_int_eq(sched_getaffinity(0, sizeof(all), &all), 0);
	while (!CPU_ISSET(cpu, &all))
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	for (size_t i = 0; i < 4; i++) {
		computes[i] = start(true);
		ck_assert_int_eq(sched_setaffinity(computes[i], sizeof(one), &one), 0);
	}
	ck_assert_uint_ge(measure_ms(computes[0]), 2000);
	for (size_t i = 0; i < 4; i++)
		end(computes[i]);
}
END_TEST

Suite *suite_worker_timeout(void);
Suite *suite_worker_timeout(void)
{
	Suite *suite = suite_create("worker_timeout");
	TCase *tests = tcase_create("worker_timeout");

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, a_hanging_or_computing_worker_has_a_second);
	tcase_add_test(tests, for_a_recording_only_cpu_time_counts);
	tcase_add_test(tests, a_stopped_worker_gets_no_more_time);
	tcase_add_test(tests, a_worker_without_a_cpu_gets_more_time);
	suite_add_tcase(suite, tests);
	return suite;
}
