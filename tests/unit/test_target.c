#include "engine/process/target.h"

#include "tests/unit/runner.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

START_TEST(lists_of_ids_are_parsed)
{
	static const struct {
		const char *list;
		size_t count;
		uint32_t last;
		const char *says; /* NULL: the list is valid */
	} cases[] = {
		{ "1", 1, 1, NULL },
		{ "12,13", 2, 13, NULL },
		{ "7,7,7", 1, 7, NULL },
		{ "4194303", 1, 4194303, NULL },
		{ "", 0, 0, "character 1, expected a pid" },
		{ "0", 0, 0, "character 1, expected a pid" },
		{ "12,", 0, 0, "character 4, expected a pid" },
		{ "12, 13", 0, 0, "character 4, expected a pid" },
		{ "12;13", 0, 0, "character 3, expected a comma" },
		{ "12-14", 0, 0, "character 3, expected a comma" },
		{ "-1", 0, 0, "character 1, expected a pid" },
		{ "4194304", 0, 0, "character 1, expected a pid" },
		{ "99999999999999999999999", 0, 0, "character 1, expected a pid" },
		{ "nginx", 0, 0, "character 1, expected a pid" },
		{ "1\x1b[2J", 0, 0, "1\\33[2J" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct target target;
		struct err err = { "" };
		int ret;

		target_init(&target);
		ret = target_add_pids(&target, cases[i].list, &err);
		ck_assert_msg(ret == (cases[i].says ? -EINVAL : 0), "%s: %d", cases[i].list, ret);
		ck_assert_msg(target.pid_count == cases[i].count, "%s: %zu", cases[i].list,
			      target.pid_count);
		if (cases[i].says)
			ck_assert_msg(strstr(err.text, cases[i].says), "%s: %s", cases[i].list,
				      err.text);
		else
			ck_assert_uint_eq(target.pids[target.pid_count - 1], cases[i].last);
		target_release(&target);
	}
}
END_TEST

START_TEST(lists_of_cpus_have_ranges)
{
	static const struct {
		const char *list;
		size_t count;
		const char *says;
	} cases[] = {
		{ "0", 1, NULL },
		{ "0-3,5", 5, NULL },
		{ "2-2", 1, NULL },
		{ "0-3,2-5", 6, NULL },
		{ "3-1", 0, "a range with its lower end" },
		{ "1-", 0, "character 3, expected a CPU" },
		{ "0-3-5", 0, "character 4, expected a comma" },
		{ "8192", 0, "between 0 and 8191" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct target target;
		struct err err = { "" };
		int ret;

		target_init(&target);
		ret = target_add_cpus(&target, cases[i].list, &err);
		ck_assert_msg(ret == (cases[i].says ? -EINVAL : 0), "%s: %d", cases[i].list, ret);
		ck_assert_msg(target.cpu_count == cases[i].count, "%s: %zu", cases[i].list,
			      target.cpu_count);
		if (cases[i].says)
			ck_assert_msg(strstr(err.text, cases[i].says), "%s: %s", cases[i].list,
				      err.text);
		target_release(&target);
	}
}
END_TEST

START_TEST(a_wrong_list_adds_nothing_to_a_right_one)
{
	struct target target;

	target_init(&target);
	ck_assert_int_eq(target_add_tids(&target, "5,6", NULL), 0);
	ck_assert_int_eq(target_add_tids(&target, "7,8,x", NULL), -EINVAL);
	ck_assert_uint_eq(target.tid_count, 2);
	ck_assert_int_eq(target_add_tids(&target, "6,7", NULL), 0);
	ck_assert_uint_eq(target.tid_count, 3);
	ck_assert(!target_is_system(&target));
	target_release(&target);
	ck_assert(target_is_system(&target));
}
END_TEST

static void *emit_and_wait(void *arg)
{
	int *fds = arg;
	uint32_t tid = (uint32_t)syscall(SYS_gettid);
	char byte;

	ck_assert_int_eq(write(fds[1], &tid, sizeof(tid)), sizeof(tid));
	while (read(fds[2], &byte, 1) < 0)
		;
	return NULL;
}

START_TEST(missing_tasks_and_cpus_are_reported)
{
	uint32_t tid, own = (uint32_t)getpid();
	struct target target;
	int out[2], in[2], fds[3];
	pthread_t thread;
	struct err err;

	ck_assert(!pipe(out) && !pipe(in));
	fds[1] = out[1];
	fds[2] = in[0];
	ck_assert(!pthread_create(&thread, NULL, emit_and_wait, fds));
	ck_assert_int_eq(read(out[0], &tid, sizeof(tid)), sizeof(tid));

	target_init(&target);
	target.pids = &own;
	target.pid_count = 1;
	target.tids = &tid;
	target.tid_count = 1;
	ck_assert_int_eq(target_check(&target, &err), 0);
	target.pids = &tid;
	ck_assert_int_eq(target_check(&target, &err), -ESRCH);
	ck_assert_msg(strstr(err.text, "a thread of process"), "%s", err.text);
	target.pid_count = 0;
	close(in[1]);
	pthread_join(thread, NULL);
	/* The kernel can keep the task for a moment after the join. */
	while (!target_check(&target, &err))
		usleep(1000);
	ck_assert_msg(strstr(err.text, "no thread"), "%s", err.text);
	target.tid_count = 0;
	ck_assert_int_eq(target_add_cpus(&target, "8000", NULL), 0);
	ck_assert_int_eq(target_check(&target, &err), -EINVAL);
	ck_assert_msg(strstr(err.text, "CPU 8000 is not online"), "%s", err.text);
	target.pids = target.tids = NULL;
	target_release(&target);
}
END_TEST

/* A pid with another start time is another process; removing a pid removes its start time, too. */
START_TEST(a_process_is_identified_by_pid_and_start)
{
	struct target target, copy;
	struct err err;
	char list[64];

	target_init(&target);
	snprintf(list, sizeof(list), "1,%d,4194303", (int)getpid());
	ck_assert_int_eq(target_add_pids(&target, list, &err), 0);
	ck_assert(target_pid_lives(&target, 1) && !target_pid_lives(&target, 2));
	target_note_starts(&target);
	ck_assert(target_pid_lives(&target, 1));
	target_copy(&copy, &target);
	target.pid_starts[1]++;
	ck_assert(!target_pid_lives(&target, 1) && target_pid_lives(&copy, 1));
	target_note_starts(&target);
	ck_assert_msg(!target_pid_lives(&target, 1), "a known start time is not looked up again");
	ck_assert(target_remove_pid(&copy, 1) && !target_remove_pid(&copy, 1));
	ck_assert(target_has_pid(&copy, (uint32_t)getpid()) && !target_has_pid(&copy, 1));
	ck_assert(target_pid_lives(&copy, 0) && !target_pid_lives(&copy, 1));
	ck_assert_uint_eq(target_ancestor(&copy, (uint32_t)getpid()), 0);
	copy.pids[0] = (uint32_t)getppid();
	ck_assert_uint_eq(target_ancestor(&copy, (uint32_t)getpid()), (uint32_t)getppid());
	target_release(&copy);
	target_release(&target);
}
END_TEST

Suite *suite_target(void);
Suite *suite_target(void)
{
	Suite *suite = suite_create("target");
	TCase *tc = tcase_create("target");

	tcase_add_test(tc, lists_of_ids_are_parsed);
	tcase_add_test(tc, lists_of_cpus_have_ranges);
	tcase_add_test(tc, a_wrong_list_adds_nothing_to_a_right_one);
	tcase_add_test(tc, missing_tasks_and_cpus_are_reported);
	tcase_add_test(tc, a_process_is_identified_by_pid_and_start);
	suite_add_tcase(suite, tc);
	return suite;
}
