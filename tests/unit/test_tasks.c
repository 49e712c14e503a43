#include "engine/tasks/tasks.h"

#include "tests/unit/runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

START_TEST(a_task_is_found_by_its_tid)
{
	struct tasks *tasks = tasks_new();
	struct task *task;

	ck_assert_ptr_null(tasks_find(tasks, 7));
	task = tasks_get(tasks, 5, 7);
	ck_assert_ptr_eq(tasks_find(tasks, 7), task);
	ck_assert_ptr_eq(tasks_get(tasks, 5, 7), task);
	ck_assert_uint_eq(task->tid, 7);
	ck_assert_uint_eq(task->process->pid, 5);
	ck_assert_ptr_eq(tasks_process(tasks, 5), task->process);
	ck_assert_ptr_eq(tasks_get(tasks, 5, 5)->process, task->process);
	ck_assert_uint_eq(task->process->threads, 2);
	ck_assert_ptr_null(tasks_process(tasks, 7));
	tasks_free(tasks);
}
END_TEST

START_TEST(an_unknown_pid_is_corrected_later)
{
	struct tasks *tasks = tasks_new();
	struct task *task = tasks_get(tasks, 0, 7);

	ck_assert_uint_eq(task->process->pid, 0);
	task->in_call = true;
	ck_assert_ptr_eq(tasks_get(tasks, 5, 7), task);
	ck_assert_uint_eq(task->process->pid, 5);
	ck_assert_uint_eq(task->process->threads, 1);
	ck_assert(task->in_call);
	ck_assert_uint_eq(task->call.pid, 5);
	/* A record without a pid does not reset the pid. */
	ck_assert_ptr_eq(tasks_get(tasks, 0, 7), task);
	ck_assert_uint_eq(task->process->pid, 5);
	tasks_free(tasks);
}
END_TEST

START_TEST(names_are_interned)
{
	struct tasks *tasks = tasks_new();
	uint32_t sh = tasks_name_id(tasks, "sh"), ls = tasks_name_id(tasks, "ls");
	uint32_t odd = tasks_name_id(tasks, "\xff\x1b[2J");

	ck_assert_uint_ne(sh, ls);
	ck_assert_uint_eq(tasks_name_id(tasks, "sh"), sh);
	ck_assert_uint_eq(tasks_name_id(tasks, ""), 0);
	ck_assert_str_eq(tasks_name(tasks, sh), "sh");
	ck_assert_str_eq(tasks_name(tasks, odd), "\xff\x1b[2J");
	ck_assert_str_eq(tasks_name(tasks, 0), "");
	ck_assert_str_eq(tasks_name(tasks, 4000000000u), "");
	/* Names of the kernel have at most 15 bytes; longer ones are truncated. */
	ck_assert_str_eq(tasks_name(tasks, tasks_name_id(tasks, "0123456789abcdefgh")),
			 "0123456789abcde");
	tasks_free(tasks);
}
END_TEST

START_TEST(many_names_have_different_ids)
{
	struct tasks *tasks = tasks_new();
	char name[16];

	for (int round = 0; round < 2; round++)
		for (uint32_t i = 0; i < 50000; i++) {
			snprintf(name, sizeof(name), "kworker/%u", i);
			if (tasks_name_id(tasks, name) != i + 1)
				ck_abort_msg("%s in round %d", name, round);
		}
	ck_assert_str_eq(tasks_name(tasks, 777 + 1), "kworker/777");
	tasks_free(tasks);
}
END_TEST

/* Programs can set any number of names: names in use stay, and old unused ones are evicted. */
START_TEST(names_in_use_outlast_any_number_of_names)
{
	struct tasks *tasks = tasks_new();
	struct task *quiet = tasks_get(tasks, 5, 5), *busy = tasks_get(tasks, 6, 6);
	uint32_t early = 0;
	char name[16];

	tasks_rename(tasks, quiet, "quiet");
	for (uint32_t i = 0; i < 2 * IDENTITY_MAX + 1000; i++) {
		snprintf(name, sizeof(name), "n%u", i);
		tasks_rename(tasks, busy, name);
		if (i == 7)
			early = busy->comm_id;
		if (strcmp(tasks_name(tasks, busy->comm_id), name) != 0)
			ck_abort_msg("%s is %s", name, tasks_name(tasks, busy->comm_id));
	}
	ck_assert_str_eq(tasks_name(tasks, quiet->comm_id), "quiet");
	ck_assert_str_eq(tasks_name(tasks, quiet->process->comm_id), "quiet");
	/* An id never stands for another name. */
	ck_assert_str_eq(tasks_name(tasks, early), "");
	ck_assert_uint_eq(tasks_name_id(tasks, "quiet"), quiet->comm_id);
	ck_assert_uint_gt(identity_not_kept(tasks_identity(tasks)), IDENTITY_MAX);
	ck_assert_uint_lt(identity_bytes(tasks_identity(tasks)), 24u << 20);
	tasks_free(tasks);
}
END_TEST

START_TEST(leaders_name_their_process)
{
	struct tasks *tasks = tasks_new();
	struct task *worker = tasks_get(tasks, 5, 7), *leader;
	struct process *process = worker->process;

	tasks_rename(tasks, worker, "worker");
	ck_assert_str_eq(tasks_name(tasks, process->comm_id), "worker");
	leader = tasks_get(tasks, 5, 5);
	tasks_rename(tasks, leader, "server");
	ck_assert_str_eq(tasks_name(tasks, process->comm_id), "server");
	tasks_rename(tasks, worker, "writer");
	ck_assert_str_eq(tasks_name(tasks, process->comm_id), "server");
	ck_assert_str_eq(tasks_name(tasks, worker->comm_id), "writer");
	/* A call that has no name yet gets the next name of its thread, and keeps it. */
	leader->in_call = true;
	leader->call.comm_id = 0;
	tasks_rename(tasks, leader, "one");
	ck_assert_str_eq(tasks_name(tasks, leader->call.comm_id), "one");
	tasks_rename(tasks, leader, "two");
	ck_assert_str_eq(tasks_name(tasks, leader->call.comm_id), "one");
	tasks_free(tasks);
}
END_TEST

START_TEST(a_child_inherits_the_name_of_its_parent)
{
	struct tasks *tasks = tasks_new();
	struct task *parent = tasks_get(tasks, 5, 5), *child, *thread;

	tasks_rename(tasks, parent, "sh");
	child = tasks_fork(tasks, 5, 9, 9);
	ck_assert_uint_eq(child->process->pid, 9);
	ck_assert_uint_eq(child->process->parent_pid, 5);
	ck_assert_str_eq(tasks_name(tasks, child->comm_id), "sh");
	ck_assert_str_eq(tasks_name(tasks, child->process->comm_id), "sh");
	thread = tasks_fork(tasks, 5, 5, 10);
	ck_assert_ptr_eq(thread->process, parent->process);
	ck_assert_uint_eq(parent->process->parent_pid, 0);
	/* Invalid forks do no harm: an unknown parent, a task as its own parent. */
	tasks_fork(tasks, 12345, 20, 20);
	tasks_fork(tasks, 20, 20, 20);
	ck_assert_uint_eq(tasks_process(tasks, 20)->threads, 1);
	tasks_free(tasks);
}
END_TEST

START_TEST(a_reused_pid_is_another_process)
{
	struct tasks *tasks = tasks_new();
	struct task *task = tasks_get(tasks, 5, 5);
	uint32_t generation = task->process->generation;

	tasks_rename(tasks, task, "old");
	task->in_call = true;
	tasks_end(tasks, task);
	ck_assert(task->ended);
	ck_assert(task->process->ended);
	ck_assert_uint_eq(tasks_ended_processes(tasks), 1);
	/* The task stays known, with its name. */
	ck_assert_ptr_eq(tasks_find(tasks, 5), task);
	ck_assert_str_eq(tasks_name(tasks, tasks_process(tasks, 5)->comm_id), "old");

	task = tasks_get(tasks, 5, 5);
	ck_assert(!task->ended);
	ck_assert(!task->in_call);
	ck_assert(!task->process->ended);
	ck_assert_uint_eq(tasks_ended_processes(tasks), 0);
	ck_assert_uint_ne(task->process->generation, generation);
	ck_assert_uint_eq(task->comm_id, 0);
	generation = task->process->generation;
	/* A fork reuses the pid, even while the old task seems to be alive. */
	task = tasks_fork(tasks, 1, 5, 5);
	ck_assert_uint_ne(task->process->generation, generation);
	ck_assert_uint_eq(task->process->threads, 1);
	/* A thread of another process reuses the pid as its tid. */
	generation = task->process->generation;
	task = tasks_get(tasks, 6, 5);
	ck_assert_uint_eq(task->process->pid, 6);
	ck_assert(tasks_process(tasks, 5)->ended);
	tasks_free(tasks);
}
END_TEST

static void check_name_at(const struct tasks *tasks, uint32_t tid, uint64_t time_ns, uint32_t pid,
			  const char *name)
{
	uint32_t found, comm_id;

	ck_assert_int_eq(tasks_name_at(tasks, tid, time_ns, &found, &comm_id), pid || *name);
	ck_assert_uint_eq(found, pid);
	ck_assert_str_eq(tasks_name(tasks, comm_id), name);
}

START_TEST(a_waker_has_its_name_of_that_time)
{
	struct tasks *tasks = tasks_new();
	struct task *task;

	/* The waker is unknown when it wakes a thread. */
	tasks_note_waker(tasks, 7);
	tasks_set_time(tasks, 100);
	task = tasks_get(tasks, 7, 7);
	tasks_rename(tasks, task, "sh");
	tasks_set_time(tasks, 150);
	tasks_rename(tasks, task, "sh");
	tasks_set_time(tasks, 200);
	tasks_rename(tasks, task, "cat");
	tasks_end(tasks, task);
	/* A thread of another process reuses the tid. */
	tasks_set_time(tasks, 300);
	tasks_rename(tasks, tasks_get(tasks, 5, 7), "other");
	for (int i = 0; i < 2; i++) {
		check_name_at(tasks, 7, 99, 0, "");
		check_name_at(tasks, 7, 100, 7, "sh");
		check_name_at(tasks, 7, 199, 7, "sh");
		check_name_at(tasks, 7, 200, 7, "cat");
		check_name_at(tasks, 7, 299, 7, "cat");
		check_name_at(tasks, 7, 300, 5, "other");
		/* Names of a task that wakes no thread take no space. */
		for (uint32_t j = 0; j < 100000; j++) {
			tasks_set_time(tasks, 400 + j);
			tasks_rename(tasks, tasks_get(tasks, 8, 8), j % 2 ? "odd" : "even");
		}
	}
	/* The last names of a waker stay. */
	tasks_note_waker(tasks, 8);
	for (uint32_t j = 0; j < 100000; j++) {
		tasks_set_time(tasks, 1000000 + j);
		tasks_rename(tasks, tasks_get(tasks, 8, 8), j % 2 ? "odd" : "even");
	}
	check_name_at(tasks, 8, 1000000 + 98999, 8, "odd");
	check_name_at(tasks, 8, UINT64_MAX, 8, "odd");
	check_name_at(tasks, 8, 1000000 + 99998, 8, "even");
	tasks_free(tasks);
}
END_TEST

START_TEST(a_process_ends_with_its_last_thread)
{
	struct tasks *tasks = tasks_new();
	struct task *leader = tasks_get(tasks, 5, 5), *thread = tasks_get(tasks, 5, 7);
	uint32_t generation = leader->process->generation;

	tasks_end(tasks, leader);
	tasks_end(tasks, leader);
	ck_assert(!thread->process->ended);
	ck_assert_uint_eq(thread->process->threads, 1);
	/* The thread that executes a program gets the tid of the leader. */
	leader = tasks_get(tasks, 5, 5);
	ck_assert_uint_eq(leader->process->generation, generation);
	tasks_exec(tasks, leader);
	ck_assert_uint_ne(leader->process->generation, generation);
	tasks_end(tasks, leader);
	tasks_end(tasks, thread);
	ck_assert(thread->process->ended);
	tasks_free(tasks);
}
END_TEST

static void count_task(void *ctx, struct task *task)
{
	size_t *count = ctx;

	ck_assert_ptr_nonnull(task->process);
	++*count;
}

START_TEST(ended_tasks_are_discarded_in_bulk)
{
	struct tasks *tasks = tasks_new();
	size_t count = 0;

	tasks_get(tasks, 1, 1);
	for (uint32_t pid = 2; pid < 50000; pid++) {
		struct task *task = tasks_fork(tasks, 1, pid, pid);

		tasks_end(tasks, task);
		ck_assert_ptr_eq(tasks_find(tasks, pid), task);
	}
	tasks_each(tasks, count_task, &count);
	ck_assert_uint_le(count, TASKS_ENDED_MAX + 1);
	ck_assert_uint_gt(count, TASKS_ENDED_MAX / 2);
	ck_assert_ptr_nonnull(tasks_find(tasks, 1));
	ck_assert_ptr_null(tasks_find(tasks, 2));
	ck_assert_ptr_nonnull(tasks_process(tasks, 2));
	ck_assert_uint_eq(tasks_ended_processes(tasks), 49998);
	tasks_forget_processes(tasks, 49998);
	ck_assert_uint_eq(tasks_ended_processes(tasks), 49998);
	tasks_forget_processes(tasks, 10000);
	ck_assert_ptr_null(tasks_process(tasks, 2));
	ck_assert_ptr_nonnull(tasks_process(tasks, 45001));
	ck_assert_uint_eq(tasks_ended_processes(tasks), 5000);
	/* A process with a known thread stays. */
	tasks_forget_processes(tasks, 1);
	ck_assert_ptr_nonnull(tasks_process(tasks, 49999));
	ck_assert_uint_eq(tasks_ended_processes(tasks), count - 1);
	tasks_free(tasks);
}
END_TEST

static void see_task(void *ctx, struct task *task)
{
	unsigned char *seen = ctx;

	seen[task->tid]++;
}

/* Tasks that start, end, are discarded or reuse a tid in between do not disturb the walk. */
START_TEST(a_walk_sees_each_task_once)
{
	static unsigned char seen[100000], given[100000];
	struct tasks *tasks = tasks_new();
	struct tasks_walk walk, other;
	uint32_t born = 20000;
	bool more = true;

	memset(seen, 0, sizeof(seen));
	for (uint32_t tid = 1; tid <= 5000; tid++)
		tasks_get(tasks, tid, tid);
	tasks_walk_begin(&walk, tasks);
	tasks_walk_begin(&other, tasks);
	tasks_walk_end(&other);
	for (uint32_t step = 0; more; step++) {
		more = tasks_walk_step(&walk, 7, see_task, seen);
		for (int i = 0; i < 20; i++, born++)
			tasks_end(tasks, tasks_fork(tasks, 1, born, born));
		/* Reuse the next tid of the walk, and end a task far away. */
		if (walk.next && step % 3 == 0)
			given[tasks_fork(tasks, 1, walk.next->tid, walk.next->tid)->tid] = 1;
		tasks_end(tasks, tasks_find(tasks, 3000 + step));
	}
	ck_assert(!tasks_walk_step(&walk, 7, see_task, seen));
	for (uint32_t tid = 1; tid < sizeof(seen); tid++)
		ck_assert_uint_le(seen[tid], 1);
	for (uint32_t tid = 1; tid <= 5000; tid++)
		ck_assert(seen[tid] || given[tid] || !tasks_find(tasks, tid));
	/* Without changes in between, the walk sees all tasks. */
	tasks_walk_begin(&walk, tasks);
	memset(seen, 0, sizeof(seen));
	while (tasks_walk_step(&walk, 100, see_task, seen))
		;
	for (uint32_t tid = 1; tid < sizeof(seen); tid++)
		ck_assert_uint_eq(seen[tid],
				  tasks_find(tasks, tid) && !tasks_find(tasks, tid)->ended);
	tasks_free(tasks);
}
END_TEST

Suite *suite_tasks(void);
Suite *suite_tasks(void)
{
	Suite *suite = suite_create("tasks");
	TCase *tests = tcase_create("tasks");

	tcase_set_timeout(tests, 20);
	tcase_add_test(tests, a_task_is_found_by_its_tid);
	tcase_add_test(tests, an_unknown_pid_is_corrected_later);
	tcase_add_test(tests, names_are_interned);
	tcase_add_test(tests, many_names_have_different_ids);
	tcase_add_test(tests, names_in_use_outlast_any_number_of_names);
	tcase_add_test(tests, leaders_name_their_process);
	tcase_add_test(tests, a_child_inherits_the_name_of_its_parent);
	tcase_add_test(tests, a_reused_pid_is_another_process);
	tcase_add_test(tests, a_waker_has_its_name_of_that_time);
	tcase_add_test(tests, a_process_ends_with_its_last_thread);
	tcase_add_test(tests, ended_tasks_are_discarded_in_bulk);
	tcase_add_test(tests, a_walk_sees_each_task_once);
	suite_add_tcase(suite, tests);
	return suite;
}
