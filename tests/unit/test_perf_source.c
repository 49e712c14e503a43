#include "engine/source/source.h"

#include "engine/base/clock.h"
#include "engine/decode/syscalls.h"
#include "engine/source/tracefs.h"
#include "tests/unit/in_call.h"
#include "tests/unit/runner.h"
#include "tests/unit/skip.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * The live perf source. A child makes known numbers of rare calls on command. The records must have
 * exactly these numbers, on a machine under any load.
 */
#define THREADS 4
#define THREAD_CALLS 5000 /* getppid calls per thread */
#define CHILDREN 30
#define CHILD_CALLS 20 /* getuid calls per child */

struct sums {
	uint64_t enters[512], exits[512], kinds[RECORD_KIND_COUNT];
	uint64_t lost, last_ns, stacks;
	uint32_t only_pid; /* count this process and its children; 0: all */
	uint32_t forked[4 * CHILDREN], forked_count;
	uint32_t seed_tid;
	uint64_t seed_nr;
};

static bool is_counted(struct sums *sums, const struct record *record)
{
	if (!sums->only_pid || record->pid == sums->only_pid)
		return true;
	if (record->kind == RECORD_FORK && record->fork.parent_pid == sums->only_pid)
		sums->forked[sums->forked_count++ % (4 * CHILDREN)] = record->pid;
	for (uint32_t i = 0; i < sums->forked_count && i < 4 * CHILDREN; i++)
		if (sums->forked[i] == record->pid)
			return true;
	return false;
}

static void take(void *ctx, const struct record *record)
{
	struct sums *sums = ctx;

	ck_assert_uint_ge(record->time_ns, sums->last_ns);
	sums->last_ns = record->time_ns;
	sums->kinds[record->kind]++;
	if (record->kind == RECORD_LOST)
		sums->lost += record->lost.count;
	if (!is_counted(sums, record))
		return;
	if (record->kind == RECORD_ENTER && record->enter.nr < 512)
		sums->enters[record->enter.nr]++;
	if (record->kind == RECORD_EXIT && record->exit.nr < 512)
		sums->exits[record->exit.nr]++;
	if (record->kind == RECORD_SWITCH_OUT)
		sums->stacks += record->switch_out.stack.count > 0;
	if (record->kind == RECORD_INFLIGHT) {
		sums->seed_tid = record->tid;
		sums->seed_nr = record->inflight.nr;
	}
}

static void *thread_main(void *arg)
{
	for (int i = 0; i < THREAD_CALLS; i++)
		syscall(SYS_getppid);
	return arg;
}

static void work(void)
{
	pthread_t threads[THREADS];
	pid_t child;

	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, thread_main, NULL);
	for (int i = 0; i < CHILDREN; i++) {
		child = fork();
		if (!child) {
			for (int j = 0; j < CHILD_CALLS; j++)
				syscall(SYS_getuid);
			_exit(0);
		}
		waitpid(child, NULL, 0);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

/* A child that waits in read(2) for each byte and then works. */
struct child {
	pid_t pid;
	int go_fd, done_fd;
};

static void child_start(struct child *child)
{
	int go[2], done[2];
	char byte;

	ck_assert(!pipe(go) && !pipe(done));
	child->pid = fork();
	if (!child->pid) {
		close(go[1]);
		close(done[0]);
		while (read(go[0], &byte, 1) == 1) {
			work();
			if (write(done[1], &byte, 1) != 1)
				break;
		}
		_exit(0);
	}
	close(go[0]);
	close(done[1]);
	child->go_fd = go[1];
	child->done_fd = done[0];
}

/* The thread sanitizer adds a thread to each process, which breaks exact counts. */
static void needs_its_threads_alone(const char *name)
{
#ifdef __SANITIZE_THREAD__
	test_skip("%s: the sanitizer adds a thread to every process", name);
#else
	(void)name;
#endif
}

static void child_go(struct child *child)
{
	ck_assert_int_eq(write(child->go_fd, "x", 1), 1);
}

static bool child_is_done(struct child *child)
{
	struct timeval now = { 0, 0 };
	fd_set fds;
	char byte;

	FD_ZERO(&fds);
	FD_SET(child->done_fd, &fds);
	return select(child->done_fd + 1, &fds, NULL, NULL, &now) == 1 &&
	       read(child->done_fd, &byte, 1) == 1;
}

static void child_end(struct child *child)
{
	close(child->go_fd);
	waitpid(child->pid, NULL, 0);
	close(child->done_fd);
}

static struct source *open_source(const char *name, struct source_options *options)
{
	static uint32_t own;
	struct source *source;
	struct err err = { "" };
	char path[256];
	int ret;

	if (geteuid())
		test_skip("%s: needs root", name);
	if (tracefs_find(path, sizeof(path), &err))
		test_skip("%s: %s", name, err.text);
	own = (uint32_t)getpid();
	options->own_tids = &own;
	options->own_tid_count = 1;
	ret = source_open_live(&source, options, &err);
	if (ret == -ENOSYS || ret == -EPERM || ret == -EACCES)
		test_skip("%s: %s", name, err.text);
	ck_assert_msg(!ret, "%s", err.text);
	ck_assert_msg(!source_start(source, &err), "%s", err.text);
	return source;
}

static void drain(struct source *source, struct sums *sums)
{
	struct err err;

	source_wait(source, 1);
	ck_assert_int_eq(source_drain(source, take, sums, &err), 0);
}

static void finish(struct source *source, struct sums *sums)
{
	source_set_running(source, false, NULL);
	drain(source, sums);
	source_close(source);
}

/* The calls of one child always fit into the rings; those of the whole system do not always. */
static void needs_all_records(const char *name, const struct sums *sums)
{
	if (sums->lost)
		test_skip("%s: calls of other processes filled the rings", name);
}

static void expect_all_work(const struct sums *sums, uint64_t times)
{
	ck_assert_uint_eq(sums->lost, 0);
	ck_assert_uint_eq(sums->enters[SYS_getppid], times * THREADS * THREAD_CALLS);
	ck_assert_uint_eq(sums->exits[SYS_getppid], times * THREADS * THREAD_CALLS);
	ck_assert_uint_eq(sums->enters[SYS_getuid], times * CHILDREN * CHILD_CALLS);
	ck_assert_uint_eq(sums->exits[SYS_getuid], times * CHILDREN * CHILD_CALLS);
}

static void watch(struct target *target, struct source_options *options, pid_t pid)
{
	memset(options, 0, sizeof(*options));
	target_init(target);
	options->target = target;
	options->ring_bytes = 32 << 20; /* the machine can be busy with other tests */
	options->stack_limit = UINT32_MAX;
	kernel_filter_init(&options->filter);
	options->calls = SOURCE_CALLS_PERF;
	options->syscall_event = syscalls_event_name;
	if (pid) {
		target->pids = malloc(sizeof(*target->pids));
		target->pids[0] = (uint32_t)pid;
		target->pid_count = target->pid_cap = 1;
	}
}

START_TEST(a_process_is_counted_with_threads_and_children)
{
	struct source_options options;
	struct sums sums = { .lost = 0 };
	struct source *source;
	struct target target;
	struct child child;

	needs_its_threads_alone("a_process_is_counted_with_threads_and_children");
	child_start(&child);
	watch(&target, &options, child.pid);
	source = open_source("a_process_is_counted_with_threads_and_children", &options);
	child_go(&child);
	while (!child_is_done(&child))
		drain(source, &sums);
	finish(source, &sums);
	expect_all_work(&sums, 1);
	ck_assert_uint_eq(sums.kinds[RECORD_FORK], THREADS + CHILDREN);
	ck_assert_uint_gt(sums.stacks, 0);
	ck_assert_uint_gt(sums.kinds[RECORD_SWITCH_IN], 0);
	child_end(&child);
	target_release(&target);
}
END_TEST

START_TEST(calls_are_counted_on_the_whole_system)
{
	struct source_options options;
	struct sums sums = { .lost = 0 };
	struct source *source;
	struct target target;
	struct child child;

	child_start(&child);
	watch(&target, &options, 0);
	options.stacks = STACKS_OFF;
	source = open_source("calls_are_counted_on_the_whole_system", &options);
	sums.only_pid = (uint32_t)child.pid;
	child_go(&child);
	while (!child_is_done(&child))
		drain(source, &sums);
	finish(source, &sums);
	needs_all_records("calls_are_counted_on_the_whole_system", &sums);
	ck_assert_uint_eq(sums.enters[SYS_getppid], THREADS * THREAD_CALLS);
	ck_assert_uint_eq(sums.exits[SYS_getppid], THREADS * THREAD_CALLS);
	child_end(&child);
	target_release(&target);
}
END_TEST

/*
 * Alternate between two filters that pass the child's calls. One passes a few calls, which have
 * their own events. The other also passes getrusage, which no process calls, or every call.
 */
enum change { CHANGE_A_FEW, CHANGE_FEW_AND_ALL };

static bool change_filter(struct source *source, enum change change, bool odd)
{
	struct kernel_filter filter;
	struct err err = { "" };

	kernel_filter_init(&filter);
	filter.by_syscall = !odd || change == CHANGE_A_FEW;
	kernel_filter_allow(&filter, SYS_getppid);
	kernel_filter_allow(&filter, SYS_getuid);
	if (odd)
		kernel_filter_allow(&filter, SYS_getrusage);
	/* Drains must complete an earlier change first, as in the collector. */
	if (!source_takes_change(source)) {
		ck_assert_int_eq(source_set_filter(source, &filter, &err), -EAGAIN);
		return false;
	}
	ck_assert_msg(!source_set_filter(source, &filter, &err), "%s", err.text);
	return true;
}

static void count_while_the_filter_changes(const char *name, bool system, enum change change,
					   uint64_t times)
{
	struct source_options options;
	struct sums sums = { .lost = 0 };
	struct source *source;
	struct target target;
	struct child child;
	uint64_t changes = 0, rounds = 0, next_ns = 0;

	child_start(&child);
	watch(&target, &options, system ? 0 : child.pid);
	options.stacks = STACKS_OFF;
	source = open_source(name, &options);
	sums.only_pid = system ? (uint32_t)child.pid : 0;
	ck_assert(change_filter(source, change, false));
	for (; changes < times; rounds++) {
		child_go(&child);
		while (!child_is_done(&child)) {
			drain(source, &sums);
			if (clock_now_ns() < next_ns)
				continue;
			if (change_filter(source, change, !(changes & 1)))
				changes++;
			next_ns = clock_now_ns() + 10 * NS_PER_MS;
		}
	}
	finish(source, &sums);
	if (system)
		needs_all_records(name, &sums);
	expect_all_work(&sums, rounds);
	child_end(&child);
	target_release(&target);
}

START_TEST(filter_changes_on_tasks_lose_and_double_nothing)
{
	count_while_the_filter_changes("filter_changes_on_tasks", false, CHANGE_A_FEW, 30);
}
END_TEST

START_TEST(filter_changes_on_cpus_lose_and_double_nothing)
{
	count_while_the_filter_changes("filter_changes_on_cpus", true, CHANGE_A_FEW, 30);
}
END_TEST

START_TEST(alternating_filters_on_tasks_lose_nothing)
{
	count_while_the_filter_changes("alternating_filters_on_tasks", false, CHANGE_FEW_AND_ALL,
				       20);
}
END_TEST

START_TEST(alternating_filters_on_cpus_lose_nothing)
{
	count_while_the_filter_changes("alternating_filters_on_cpus", true, CHANGE_FEW_AND_ALL, 20);
}
END_TEST

START_TEST(a_filter_on_a_process_moves_the_events_to_it)
{
	struct source_options options;
	struct source_status status;
	struct sums sums = { .lost = 0 };
	struct kernel_filter filter;
	struct source *source;
	struct target target;
	struct child child;
	uint32_t pid;

	needs_its_threads_alone("a_filter_on_a_process_moves_the_events_to_it");
	child_start(&child);
	watch(&target, &options, 0);
	options.stacks = STACKS_OFF;
	/* Record only rare calls of the whole system: all calls could overflow a ring. */
	kernel_filter_init(&filter);
	filter.by_syscall = true;
	kernel_filter_allow(&filter, SYS_getppid);
	kernel_filter_allow(&filter, SYS_getuid);
	kernel_filter_copy(&options.filter, &filter);
	source = open_source("a_filter_on_a_process_moves_the_events_to_it", &options);
	pid = (uint32_t)child.pid;
	filter.pids = &pid;
	filter.pid_count = 1;
	ck_assert(!source_set_filter(source, &filter, NULL));
	source_status(source, &status);
	ck_assert_msg(strstr(status.plan, "1 thread"), "%s", status.plan);
	for (uint64_t begin_ns = clock_now_ns(); clock_now_ns() < begin_ns + 100 * NS_PER_MS;)
		drain(source, &sums);
	/* Count only this child: earlier events can have counted another run of this test. */
	memset(&sums, 0, sizeof(sums));
	sums.only_pid = pid;
	child_go(&child);
	while (!child_is_done(&child))
		drain(source, &sums);
	filter.nothing = true;
	ck_assert(!source_set_filter(source, &filter, NULL));
	drain(source, &sums);
	needs_all_records("a_filter_on_a_process_moves_the_events_to_it", &sums);
	expect_all_work(&sums, 1);
	child_go(&child);
	while (!child_is_done(&child))
		drain(source, &sums);
	finish(source, &sums);
	expect_all_work(&sums, 1);
	child_end(&child);
	target_release(&target);
}
END_TEST

START_TEST(a_call_in_flight_at_the_start_is_seeded)
{
	struct source_options options;
	struct sums sums = { .lost = 0 };
	struct source *source;
	struct target target;
	struct child child;
	uint64_t end_ns;

	needs_its_threads_alone("a_call_in_flight_at_the_start_is_seeded");
	child_start(&child);
	wait_until_in(child.pid, SYS_read);
	watch(&target, &options, child.pid);
	source = open_source("a_call_in_flight_at_the_start_is_seeded", &options);
	end_ns = clock_now_ns() + 10 * NS_PER_S;
	while (!sums.kinds[RECORD_INFLIGHT] && clock_now_ns() < end_ns)
		drain(source, &sums);
	ck_assert_uint_eq(sums.seed_tid, (uint32_t)child.pid);
	ck_assert_uint_eq(sums.seed_nr, SYS_read);
	ck_assert_uint_eq(sums.exits[SYS_read], 0);
	child_go(&child);
	while (!child_is_done(&child))
		drain(source, &sums);
	finish(source, &sums);
	ck_assert_uint_ge(sums.exits[SYS_read], 1);
	child_end(&child);
	target_release(&target);
}
END_TEST

START_TEST(a_paused_source_collects_nothing)
{
	struct source_options options;
	struct sums sums = { .lost = 0 };
	struct source *source;
	struct target target;
	struct child child;

	child_start(&child);
	watch(&target, &options, child.pid);
	source = open_source("a_paused_source_collects_nothing", &options);
	ck_assert(!source_set_running(source, false, NULL));
	child_go(&child);
	while (!child_is_done(&child))
		drain(source, &sums);
	ck_assert_uint_eq(sums.kinds[RECORD_ENTER], 0);
	ck_assert_uint_eq(sums.kinds[RECORD_GAP], 0);
	ck_assert(!source_set_running(source, true, NULL));
	child_go(&child);
	while (!child_is_done(&child))
		drain(source, &sums);
	finish(source, &sums);
	expect_all_work(&sums, 1);
	ck_assert_uint_eq(sums.kinds[RECORD_GAP], 1);
	child_end(&child);
	target_release(&target);
}
END_TEST

START_TEST(a_filter_without_calls_samples_no_stacks)
{
	struct source_options options;
	struct sums sums = { .lost = 0 };
	struct kernel_filter filter;
	struct source *source;
	struct target target;
	struct child child;

	child_start(&child);
	watch(&target, &options, child.pid);
	source = open_source("a_filter_without_calls_samples_no_stacks", &options);
	for (int nothing = 1; nothing >= 0; nothing--) {
		kernel_filter_init(&filter);
		filter.nothing = nothing;
		ck_assert(!source_set_filter(source, &filter, NULL));
		drain(source, &sums);
		memset(&sums, 0, sizeof(sums));
		child_go(&child);
		while (!child_is_done(&child))
			drain(source, &sums);
		drain(source, &sums);
		/* Switch-outs are reported with and without `nothing`. */
		ck_assert_uint_gt(sums.kinds[RECORD_SWITCH_OUT], 0);
		ck_assert_int_eq(sums.stacks > 0, !nothing);
	}
	finish(source, &sums);
	child_end(&child);
	target_release(&target);
}
END_TEST

START_TEST(losses_of_a_small_ring_are_counted_exactly)
{
	struct source_options options;
	struct sums sums = { .lost = 0 };
	struct source *source;
	struct target target;
	struct child child;
	uint64_t seen, made = 2 * THREADS * THREAD_CALLS;

	needs_its_threads_alone("losses_of_a_small_ring_are_counted_exactly");
	child_start(&child);
	watch(&target, &options, child.pid);
	options.stacks = STACKS_OFF;
	options.ring_bytes = 4096;
	options.filter.by_syscall = true;
	kernel_filter_allow(&options.filter, SYS_getppid);
	source = open_source("losses_of_a_small_ring_are_counted_exactly", &options);
	child_go(&child);
	while (!child_is_done(&child))
		usleep(1000);
	source_set_running(source, false, NULL);
	drain(source, &sums);
	source_close(source);
	seen = sums.enters[SYS_getppid] + sums.exits[SYS_getppid];
	ck_assert_uint_gt(sums.lost, 0);
	ck_assert_uint_lt(seen, made);
	/* The lost records can include a fork and an exit of each task. */
	ck_assert_uint_ge(seen + sums.lost, made);
	ck_assert_uint_le(seen + sums.lost, made + 2 * (THREADS + CHILDREN));
	child_end(&child);
	target_release(&target);
}
END_TEST

START_TEST(a_missing_permission_names_the_remedy)
{
	struct source_options options;
	struct target target;
	int status;
	pid_t pid;

	if (geteuid())
		test_skip("a_missing_permission_names_the_remedy: needs root");
	watch(&target, &options, 0);
	pid = fork();
	if (!pid) {
		struct source *source;
		struct err err = { "" };
		bool ok = !setgid(65534) && !setuid(65534) &&
			  source_open_live(&source, &options, &err) < 0;

		_exit(ok && (strstr(err.text, "as root, run: ")) ? 0 : 1);
	}
	waitpid(pid, &status, 0);
	ck_assert_int_eq(status, 0);
	target_release(&target);
}
END_TEST

START_TEST(an_exited_process_is_reported)
{
	struct source_options options;
	struct source *source;
	struct target target;
	struct err err = { "" };
	char path[256];
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	if (geteuid() || tracefs_find(path, sizeof(path), NULL))
		test_skip("an_exited_process_is_reported: needs root and tracefs");
	watch(&target, &options, pid);
	ck_assert_int_eq(source_open_live(&source, &options, &err), -ESRCH);
	ck_assert_msg(strstr(err.text, "it has exited"), "%s", err.text);
	target_release(&target);
}
END_TEST

Suite *suite_perf_source(void);
Suite *suite_perf_source(void)
{
	Suite *suite = suite_create("perf_source");
	TCase *tc = tcase_create("perf_source");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, a_process_is_counted_with_threads_and_children);
	tcase_add_test(tc, calls_are_counted_on_the_whole_system);
	tcase_add_test(tc, filter_changes_on_tasks_lose_and_double_nothing);
	tcase_add_test(tc, filter_changes_on_cpus_lose_and_double_nothing);
	tcase_add_test(tc, alternating_filters_on_tasks_lose_nothing);
	tcase_add_test(tc, alternating_filters_on_cpus_lose_nothing);
	tcase_add_test(tc, a_filter_on_a_process_moves_the_events_to_it);
	tcase_add_test(tc, a_call_in_flight_at_the_start_is_seeded);
	tcase_add_test(tc, a_paused_source_collects_nothing);
	tcase_add_test(tc, a_filter_without_calls_samples_no_stacks);
	tcase_add_test(tc, losses_of_a_small_ring_are_counted_exactly);
	tcase_add_test(tc, a_missing_permission_names_the_remedy);
	tcase_add_test(tc, an_exited_process_is_reported);
	suite_add_tcase(suite, tc);
	return suite;
}
