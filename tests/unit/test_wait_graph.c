/* Lock owners and deadlocks that the engine reports for a child that is stuck in futexes. */
#include "engine/wait_graph.h"

#include "engine/engine.h"
#include "tests/unit/runner.h"
#include "tests/unit/skip.h"

#include <linux/capability.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Shared with the child, at the same address. */
struct scene {
	pthread_mutex_t one, other;
	_Atomic uint32_t first, second, third; /* tids, set before the threads block */
};

struct fixture {
	struct scene *scene;
	struct engine *engine;
	pid_t child;
};

static void pause_ms(long ms)
{
	nanosleep(&(struct timespec){ .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 }, NULL);
}

static void *take_other_way(void *arg)
{
	struct scene *scene = arg;

	pthread_mutex_lock(&scene->other);
	scene->second = (uint32_t)gettid();
	pthread_mutex_lock(&scene->one);
	return NULL;
}

static void *wait_too(void *arg)
{
	struct scene *scene = arg;

	scene->third = (uint32_t)gettid();
	pthread_mutex_lock(&scene->one);
	return NULL;
}

/* Hold one lock while two threads wait for it; `cycle`: deadlock with one of them. */
static void __attribute__((noreturn)) child_main(struct scene *scene, bool cycle)
{
	pthread_t thread;

	pthread_mutex_lock(&scene->one);
	scene->first = (uint32_t)gettid();
	pthread_create(&thread, NULL, take_other_way, scene);
	pthread_create(&thread, NULL, wait_too, scene);
	while (!scene->second)
		pause_ms(1);
	if (cycle)
		pthread_mutex_lock(&scene->other);
	for (;;)
		pause();
}

static bool waits(pid_t pid, uint32_t tid)
{
	char path[64], line[64] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/task/%u/syscall", pid, tid);
	file = fopen(path, "r");
	if (!file)
		return false;
	if (!fgets(line, sizeof(line), file))
		line[0] = '\0';
	fclose(file);
	return strtol(line, NULL, 10) == SYS_futex;
}

/* Root lacks permission in a container or without tracefs. */
static bool is_full_root(void)
{
	return geteuid() == 0 && prctl(PR_CAPBSET_READ, CAP_PERFMON, 0, 0, 0) == 1 &&
	       access("/sys/kernel/tracing/events", F_OK) == 0;
}

/* False: this user may not watch other processes. */
static bool fixture_init(struct fixture *f, bool cycle)
{
	struct engine_options options = { .stacks = STACKS_OFF };
	struct err err;
	char list[16];
	int rc;

	f->scene = mmap(NULL, sizeof(*f->scene), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			-1, 0);
	ck_assert_ptr_ne(f->scene, MAP_FAILED);
	pthread_mutex_init(&f->scene->one, NULL);
	pthread_mutex_init(&f->scene->other, NULL);
	ck_assert_int_eq(engine_new(&f->engine, &err), 0);
	f->child = fork();
	if (!f->child)
		child_main(f->scene, cycle);
	while (!f->scene->second || !f->scene->third || !waits(f->child, f->scene->second) ||
	       !waits(f->child, f->scene->third) || (cycle && !waits(f->child, f->scene->first)))
		pause_ms(1);
	target_init(&options.target);
	snprintf(list, sizeof(list), "%d", f->child);
	ck_assert_int_eq(target_add_pids(&options.target, list, &err), 0);
	rc = engine_start(f->engine, &options, &err);
	target_release(&options.target);
	if (rc == 0)
		return true;
	ck_assert_msg(!is_full_root(), "%s", err.text);
	return false;
}

static void fixture_release(struct fixture *f)
{
	engine_free(f->engine);
	kill(f->child, SIGKILL);
	waitpid(f->child, NULL, 0);
	munmap(f->scene, sizeof(*f->scene));
}

/* Return the row of an address in *rows once it has `waiters` waiters; NULL: after 3 s. */
static const struct engine_futex *find(struct fixture *f, const void *address, uint32_t waiters,
				       struct engine_futex **rows)
{
	for (int tries = 0; tries < 300; tries++) {
		size_t all, count = engine_futexes(f->engine, rows, &all);

		for (size_t i = 0; i < count; i++)
			if ((*rows)[i].uaddr == (uintptr_t)address && (*rows)[i].waiters == waiters)
				return &(*rows)[i];
		pause_ms(10);
	}
	return NULL;
}

START_TEST(waiters_of_a_lock_have_its_owner)
{
	struct engine_futex *rows = NULL;
	const struct engine_futex *row;
	struct engine_deadlock *found = calloc(4, sizeof(*found));
	struct call calls[4];
	struct fixture f;
	size_t count;

	if (!fixture_init(&f, false)) {
		fixture_release(&f);
		test_skip("wait_graph: needs permission to watch a child");
		return;
	}
	row = find(&f, &f.scene->one, 2, &rows);
	ck_assert_ptr_nonnull(row);
	ck_assert_uint_eq(row->pid, (uint32_t)f.child);
	ck_assert(!row->shared);
	ck_assert_uint_eq(row->waits, 0);
	count = engine_futex_waiters(f.engine, row, calls, 4);
	ck_assert_uint_eq(count, 2);
	for (size_t i = 0; i < 2; i++) {
		ck_assert(calls[i].tid == f.scene->second || calls[i].tid == f.scene->third);
		ck_assert_int_eq(calls[i].state, CALL_IN_FLIGHT);
		ck_assert_uint_eq(engine_futex_owner(f.engine, &calls[i]), f.scene->first);
	}
	ck_assert_uint_eq(engine_futex_waiters(f.engine, row, calls, 1), 1);
	/* The lock is held for long, but its owner waits for no lock. */
	pause_ms(300);
	engine_deadlocks_settle(f.engine);
	ck_assert_uint_eq(engine_deadlocks(f.engine, found, 4), 0);
	free(rows);
	free(found);
	fixture_release(&f);
}
END_TEST

START_TEST(a_deadlock_is_found_until_it_ends)
{
	struct engine_deadlock *found = calloc(4, sizeof(*found));
	const struct engine_deadlock *deadlock = found;
	struct fixture f;
	size_t count = 0;

	if (!fixture_init(&f, true)) {
		fixture_release(&f);
		test_skip("wait_graph: needs permission to watch a child");
		return;
	}
	/* Query repeatedly, as the interface does. */
	for (int tries = 0; tries < 300 && !count; tries++) {
		count = engine_deadlocks(f.engine, found, 4);
		pause_ms(10);
	}
	ck_assert_uint_eq(count, 1);
	ck_assert_uint_eq(deadlock->count, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct engine_lock_wait *wait = &deadlock->threads[i];
		bool is_first = wait->tid == f.scene->first;

		ck_assert(is_first || wait->tid == f.scene->second);
		ck_assert_uint_eq(wait->pid, (uint32_t)f.child);
		ck_assert_uint_eq(wait->owner, is_first ? f.scene->second : f.scene->first);
		ck_assert_uint_eq(wait->uaddr,
				  (uintptr_t)(is_first ? &f.scene->other : &f.scene->one));
	}
	/* The deadlock ends with its process. */
	kill(f.child, SIGKILL);
	for (int tries = 0; tries < 300 && count; tries++) {
		pause_ms(10);
		count = engine_deadlocks(f.engine, found, 4);
	}
	ck_assert_uint_eq(count, 0);
	free(found);
	fixture_release(&f);
}
END_TEST

START_TEST(before_the_start_nothing_is_found)
{
	struct engine_futex *rows = NULL;
	struct engine_deadlock found;
	struct engine *engine;
	struct err err;
	size_t all;

	ck_assert_int_eq(engine_new(&engine, &err), 0);
	ck_assert_uint_eq(engine_futexes(engine, &rows, &all), 0);
	engine_futexes_place(engine);
	engine_deadlocks_settle(engine);
	ck_assert_uint_eq(engine_deadlocks(engine, &found, 1), 0);
	engine_free(engine);
}
END_TEST

Suite *suite_wait_graph(void);
Suite *suite_wait_graph(void)
{
	Suite *suite = suite_create("wait_graph");
	TCase *tcase = tcase_create("wait_graph");

	tcase_set_timeout(tcase, 20);
	tcase_add_test(tcase, waiters_of_a_lock_have_its_owner);
	tcase_add_test(tcase, a_deadlock_is_found_until_it_ends);
	tcase_add_test(tcase, before_the_start_nothing_is_found);
	suite_add_tcase(suite, tcase);
	return suite;
}
