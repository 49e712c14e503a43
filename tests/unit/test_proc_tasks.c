#include "engine/process/proc_tasks.h"

#include "tests/unit/runner.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_barrier_t barrier;

static void *stay(void *tid)
{
	*(uint32_t *)tid = (uint32_t)syscall(SYS_gettid);
	pthread_barrier_wait(&barrier); /* the tid is stored, */
	pthread_barrier_wait(&barrier); /* and the thread can exit */
	return NULL;
}

START_TEST(threads_of_a_process_are_listed)
{
	struct task_list list = TASK_LIST_INIT;
	uint32_t pid = (uint32_t)getpid(), tid;
	pthread_t thread;

	pthread_barrier_init(&barrier, NULL, 2);
	ck_assert_int_eq(pthread_create(&thread, NULL, stay, &tid), 0);
	pthread_barrier_wait(&barrier);
	ck_assert(proc_tasks_threads(&list, pid));
	ck_assert(task_list_has(&list, pid) && task_list_has(&list, tid));
	ck_assert_uint_eq(proc_tasks_group(tid), pid);
	/* A tid is not a process, although /proc/TID exists. */
	list.count = 0;
	ck_assert(!proc_tasks_threads(&list, tid));
	ck_assert_uint_eq(list.count, 0);
	ck_assert(!proc_tasks_threads(&list, 1u << 30));
	pthread_barrier_wait(&barrier);
	pthread_join(thread, NULL);
	pthread_barrier_destroy(&barrier);
	task_list_release(&list);
}
END_TEST

Suite *suite_proc_tasks(void);
Suite *suite_proc_tasks(void)
{
	Suite *suite = suite_create("proc_tasks");
	TCase *tests = tcase_create("proc_tasks");

	tcase_add_test(tests, threads_of_a_process_are_listed);
	suite_add_tcase(suite, tests);
	return suite;
}
