#include "engine/helper/live_task.h"

#include "engine/process/map_lookup.h"
#include "engine/process/process_memory.h"
#include "tests/unit/runner.h"

#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char text[] = "memory of a process without its first thread";
static int ready[2];

static void *report(void *unused)
{
	uint32_t tid = (uint32_t)syscall(SYS_gettid);

	if (write(ready[1], &tid, sizeof(tid)) != sizeof(tid))
		_exit(1);
	for (;;)
		pause();
	return unused;
}

/* Return the pid of a process whose first thread exits; *tid is its other thread. */
static pid_t leave_leader(uint32_t *tid)
{
	pthread_t thread;
	pid_t child;

	ck_assert_int_eq(pipe(ready), 0);
	child = fork();
	if (child == 0) {
		text[0] = 'M'; /* memory_read() reads only pages that are present */
		pthread_create(&thread, NULL, report, NULL);
		syscall(SYS_exit, 0);
	}
	ck_assert_int_eq(read(ready[0], tid, sizeof(*tid)), sizeof(*tid));
	return child;
}

START_TEST(a_process_is_read_through_a_thread_that_runs)
{
	uint32_t tid, pid = (uint32_t)leave_leader(&tid);
	struct map_lookup mapped;
	char copy[sizeof(text)];

	ck_assert_uint_eq(live_task((uint32_t)getpid()), (uint32_t)getpid());
	while (live_task(pid) == pid) /* until its first thread has exited */
		usleep(1000);
	ck_assert_uint_eq(live_task(pid), tid);
	ck_assert_int_eq(memory_read(pid, (uintptr_t)text, copy, sizeof(copy)), sizeof(copy));
	ck_assert_str_eq(copy + 1, text + 1);
	ck_assert(map_lookup_find(pid, (uintptr_t)text, &mapped));

	/* The process stays in /proc as a zombie until it is reaped. */
	kill((pid_t)pid, SIGKILL);
	ck_assert_int_eq(waitid(P_PID, pid, NULL, WEXITED | WNOWAIT), 0);
	ck_assert_uint_eq(live_task(pid), 0);
	ck_assert_int_lt(memory_read(pid, (uintptr_t)text, copy, sizeof(copy)), 0);
	ck_assert_int_eq(waitpid((pid_t)pid, NULL, 0), (pid_t)pid);
	ck_assert_uint_eq(live_task(pid), 0);
}
END_TEST

Suite *suite_live_task(void);
Suite *suite_live_task(void)
{
	Suite *suite = suite_create("live_task");
	TCase *tests = tcase_create("live_task");

	tcase_add_test(tests, a_process_is_read_through_a_thread_that_runs);
	suite_add_tcase(suite, tests);
	return suite;
}
