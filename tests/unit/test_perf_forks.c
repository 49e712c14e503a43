#include "engine/source/perf/perf_forks.h"

#include "tests/unit/runner.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define WAIT_NS (60 * NS_PER_S)

/* Fork a process that runs until it is killed; if not busy, it sleeps. */
static pid_t start(bool busy)
{
	int ready[2];
	char byte;
	pid_t pid;

	ck_assert(!pipe(ready));
	pid = fork();
	if (!pid) {
		if (busy && write(ready[1], "", 1) != 1)
			_exit(1);
		for (volatile int i = 0; busy; i++)
			;
		close(ready[1]);
		for (;;)
			pause();
	}
	close(ready[1]);
	ck_assert_int_ge(read(ready[0], &byte, 1), 0);
	close(ready[0]);
	return pid;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void wait_until_over(struct perf_forks *forks)
{
	uint64_t until_ns = clock_now_ns() + WAIT_NS;

	while (perf_forks_pending(forks)) {
		ck_assert_msg(clock_now_ns() < until_ns, "the fork is still pending");
		usleep(1000);
	}
}

START_TEST(a_fork_of_a_busy_thread_is_over_after_its_cpu_time)
{
	struct perf_forks forks = PERF_FORKS_INIT;
	pid_t pid = start(true);

	/* A thread that runs and one that waits for a CPU are both in state R. */
	perf_forks_note(&forks, (uint32_t)pid);
	ck_assert_uint_eq(forks.count, 1);
	ck_assert_uint_eq(forks.forks[0].tid, (uint32_t)pid);
	wait_until_over(&forks);
	perf_forks_release(&forks);
	end(pid);
}
END_TEST

START_TEST(a_thread_that_stops_or_ends_has_no_fork_pending)
{
	static const int signals[] = { SIGSTOP, SIGKILL };

	for (size_t i = 0; i < 2; i++) {
		struct perf_forks forks = PERF_FORKS_INIT;
		pid_t pid = start(true);
		int status;

		perf_forks_note(&forks, (uint32_t)pid);
		ck_assert_uint_eq(forks.count, 1);
		kill(pid, signals[i]);
		ck_assert_int_eq(waitpid(pid, &status, WUNTRACED), pid);
		ck_assert(!perf_forks_pending(&forks));
		perf_forks_release(&forks);
		if (signals[i] != SIGKILL)
			end(pid);
	}
}
END_TEST

START_TEST(a_sleeping_thread_has_no_fork_pending)
{
	struct perf_forks forks = PERF_FORKS_INIT;
	uint64_t until_ns = clock_now_ns() + WAIT_NS;
	pid_t pid = start(false);

	/* Wait until the process has entered pause(). */
	do {
		ck_assert_msg(clock_now_ns() < until_ns, "the process never sleeps");
		forks.count = 0;
		perf_forks_note(&forks, (uint32_t)pid);
	} while (forks.count);
	end(pid);
	perf_forks_note(&forks, (uint32_t)pid);
	ck_assert_uint_eq(forks.count, 0);
	perf_forks_release(&forks);
}
END_TEST

Suite *suite_perf_forks(void);
Suite *suite_perf_forks(void)
{
	Suite *suite = suite_create("perf_forks");
	TCase *tests = tcase_create("perf_forks");

	tcase_set_timeout(tests, 120);
	tcase_add_test(tests, a_fork_of_a_busy_thread_is_over_after_its_cpu_time);
	tcase_add_test(tests, a_thread_that_stops_or_ends_has_no_fork_pending);
	tcase_add_test(tests, a_sleeping_thread_has_no_fork_pending);
	suite_add_tcase(suite, tests);
	return suite;
}
