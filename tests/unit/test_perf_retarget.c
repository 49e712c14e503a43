#include "engine/engine.h"

#include "engine/base/clock.h"
#include "engine/base/idmap.h"
#include "engine/base/mem.h"
#include "tests/unit/runner.h"
#include "tests/unit/skip.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/*
 * Threads make numbered calls while other targets are added and removed. Every number of a process
 * that stays watched is reported once and in order.
 */
#define THREADS 2
#define BLOCK 4096
#define TURNS 6
#define OTHERS_MARK 77 /* third argument of the numbered calls */
#define CHILDRENS_MARK 78 /* third argument of the numbered calls of the process's children */
#define WAIT_NS (10ULL * NS_PER_S)

static void number_calls(long mark)
{
	for (long number = 1;; number++) {
		syscall(SYS_lseek, -1L, number, mark);
		nanosleep(&(struct timespec){ .tv_nsec = 100000 }, NULL);
	}
}

static void *thread_main(void *arg)
{
	number_calls(OTHERS_MARK);
	return arg;
}

/* Make numbered calls in threads, and in short-lived children, one child at a time. */
static void __attribute__((noreturn)) busy_main(void)
{
	pthread_t thread;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread, NULL, thread_main, NULL);
	for (;;) {
		pid_t child = fork();

		if (!child) {
			for (long number = 1; number < 20; number++) {
				syscall(SYS_lseek, -1L, number, CHILDRENS_MARK);
				nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
			}
			_exit(0);
		}
		waitpid(child, NULL, 0);
	}
}

static pid_t start_busy(void)
{
	pid_t pid = fork();

	if (!pid)
		busy_main();
	ck_assert_int_gt(pid, 0);
	return pid;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* Fork a parent. After a byte, it forks a busy_main() child and sends the pid of that child. */
static pid_t start_parent(int *go_fd, int *reported_fd)
{
	int go[2], reported[2];
	pid_t pid, child;
	char byte;

	ck_assert(!pipe(go) && !pipe(reported));
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (read(go[0], &byte, 1) != 1)
			_exit(1);
		child = fork();
		if (!child)
			busy_main();
		if (write(reported[1], &child, sizeof(child)) != sizeof(child))
			_exit(1);
		for (;;)
			pause();
	}
	*go_fd = go[1];
	*reported_fd = reported[0];
	return pid;
}

/* The calls so far. */
struct seen {
	struct engine *engine;
	const char *variant;
	struct call *block;
	uint32_t first; /* the first target */
	uint32_t always; /* pid whose numbers must have no gap */
	struct idmap last; /* last number of each thread of that process */
	uint64_t numbers; /* number of calls of that process */
	uint32_t other; /* pid that is added and removed */
	uint64_t other_calls, childrens_calls, unknown_calls;
	uint64_t off_ns, on_ns; /* `other` is not watched between these times */
	uint64_t other_while_off;
	bool everybody; /* the whole system is or was watched */
	uint64_t missing, counted; /* missing numbers; calls that only the totals have */
	uint64_t alone_ns; /* time from which only `always` is watched */
};

static uint64_t records_lost(struct seen *seen)
{
	struct engine_status *status = mem_alloc(sizeof(*status));
	uint64_t lost;

	engine_status(seen->engine, status);
	lost = status->model.records_lost;
	free(status);
	return lost;
}

static void see_always(struct seen *seen, const struct call *call)
{
	uintptr_t number = (uintptr_t)call->args[1];
	uintptr_t last = (uintptr_t)idmap_get(&seen->last, call->tid);

	/* With every task watched, rings can overflow, but such losses are reported. */
	ck_assert_msg(!last || number == last + 1 || (seen->everybody && number > last),
		      "%s: thread %u: %lu after %lu", seen->variant, call->tid,
		      (unsigned long)number, (unsigned long)last);
	if (last)
		seen->missing += number - last - 1;
	idmap_put(&seen->last, call->tid, (void *)number);
	seen->numbers++;
}

static void see(struct seen *seen, const struct call *call)
{
	bool off = seen->off_ns && call->enter_ns > seen->off_ns &&
		   (!seen->on_ns || call->enter_ns < seen->on_ns);

	if (call->state == CALL_GAP)
		seen->counted += call->args[1] == LOSS_OF_STREAM ? call->args[0] : 0;
	if (call->nr != SYS_lseek || call->state == CALL_GAP || call->args[0] != (uint64_t)-1)
		return;
	if (call->args[2] == OTHERS_MARK && call->pid == seen->always)
		see_always(seen, call);
	else if (call->args[2] == OTHERS_MARK && call->pid == seen->other)
		seen->other_calls++;
	else if (call->args[2] == CHILDRENS_MARK)
		seen->childrens_calls++;
	else if (call->args[2] == OTHERS_MARK && call->enter_ns > seen->alone_ns)
		seen->unknown_calls++;
	if (off && call->pid == seen->other)
		seen->other_while_off++;
}

static void read_some(struct seen *seen)
{
	int count = engine_read(seen->engine, seen->block, BLOCK, 5);

	ck_assert_int_ge(count, 0);
	for (int i = 0; i < count; i++)
		see(seen, &seen->block[i]);
}

static void read_until(struct seen *seen, const uint64_t *count, uint64_t more, const char *what)
{
	uint64_t wanted = *count + more, end_ns = clock_now_ns() + WAIT_NS;

	while (*count < wanted) {
		ck_assert_msg(clock_now_ns() < end_ns, "no %s", what);
		read_some(seen);
	}
}

static void set_target(struct seen *seen, const uint32_t *pids, size_t count)
{
	struct engine_status *status = mem_alloc(sizeof(*status));
	uint64_t end_ns = clock_now_ns() + WAIT_NS;
	struct target target;
	char list[16];

	target_init(&target);
	for (size_t i = 0; i < count; i++) {
		snprintf(list, sizeof(list), "%u", pids[i]);
		ck_assert_int_eq(target_add_pids(&target, list, NULL), 0);
	}
	target_note_starts(&target);
	engine_set_target(seen->engine, &target);
	target_release(&target);
	do {
		ck_assert_msg(clock_now_ns() < end_ns, "the target has not been applied");
		read_some(seen);
		engine_status(seen->engine, status);
	} while (status->target_pending);
	ck_assert_msg(!status->target_error[0], "%s", status->target_error);
	free(status);
}

static void assert_missing_are_reported(struct seen *seen)
{
	uint64_t end_ns = clock_now_ns() + WAIT_NS;

	while (seen->missing > seen->counted + records_lost(seen)) {
		ck_assert_msg(clock_now_ns() < end_ns,
			      "%s: %llu calls are missing, %llu are reported", seen->variant,
			      (unsigned long long)seen->missing,
			      (unsigned long long)(seen->counted + records_lost(seen)));
		read_some(seen);
	}
}

static void assert_nothing_lost(struct seen *seen)
{
	struct engine_status *status = mem_alloc(sizeof(*status));

	ck_assert_uint_eq(records_lost(seen), 0);
	engine_status(seen->engine, status);
	ck_assert_msg(!status->error[0], "%s", status->error);
	free(status);
}

struct variant {
	const char *name;
	enum source_calls calls;
	const char *filter; /* NULL: every call */
	enum stack_mode stacks;
};

static const struct variant variants[] = {
	{ "programs", SOURCE_CALLS_BPF, NULL, STACKS_OFF },
	{ "programs, stacks", SOURCE_CALLS_BPF, NULL, STACKS_AUTO },
	{ "programs at one call", SOURCE_CALLS_BPF, "syscall == lseek", STACKS_OFF },
	{ "events", SOURCE_CALLS_PERF, NULL, STACKS_OFF },
	{ "events, stacks", SOURCE_CALLS_PERF, NULL, STACKS_AUTO },
	{ "events of one call", SOURCE_CALLS_PERF, "syscall == lseek", STACKS_OFF },
	{ "events, filtered", SOURCE_CALLS_PERF, "syscall in {lseek, read} or dur > 1h",
	  STACKS_OFF },
};

static void open_engine(struct seen *seen, const struct variant *variant)
{
	struct engine_options options = { .calls = variant->calls,
					  .stacks = variant->stacks,
					  .lossless_reader = true };
	struct filter_error error;
	struct err err = { .text = "" };
	char list[16];
	int ret;

	seen->variant = variant->name;
	ck_assert_int_eq(engine_new(&seen->engine, &err), 0);
	if (variant->filter)
		ck_assert_int_eq(filter_parse(&options.filter, variant->filter,
					      engine_filter_names(seen->engine), &error),
				 0);
	snprintf(list, sizeof(list), "%u", seen->first);
	target_init(&options.target);
	ck_assert_int_eq(target_add_pids(&options.target, list, &err), 0);
	ret = engine_start(seen->engine, &options, &err);
	target_release(&options.target);
	filter_free(options.filter);
	if (ret) {
		engine_free(seen->engine);
		end((pid_t)seen->first);
		end((pid_t)seen->other);
		test_skip("tasks_in_both_targets_lose_no_calls: %s: %s", variant->name, err.text);
	}
}

START_TEST(tasks_in_both_targets_lose_no_calls)
{
	struct seen seen = { .last = IDMAP_INIT };
	uint32_t both[2];
	pid_t unknown_waker;

	seen.first = seen.always = both[0] = (uint32_t)start_busy();
	seen.other = both[1] = (uint32_t)start_busy();
	open_engine(&seen, &variants[_i]);
	seen.block = mem_alloc(BLOCK * sizeof(*seen.block));
	unknown_waker = start_busy();
	read_until(&seen, &seen.numbers, 100, "call of the first process");
	ck_assert_uint_eq(seen.other_calls, 0);
	for (int turn = 0; turn < TURNS; turn++) {
		seen.on_ns = clock_now_ns();
		set_target(&seen, both, 2);
		read_until(&seen, &seen.other_calls, 50, "call of the added process");
		seen.off_ns = 0;
		set_target(&seen, both, 1);
		seen.on_ns = 0;
		seen.off_ns = clock_now_ns();
		read_until(&seen, &seen.numbers, 50, "call of the remaining one");
	}
	ck_assert_uint_eq(seen.other_while_off, 0);
	ck_assert_uint_eq(seen.unknown_calls, 0);
	assert_nothing_lost(&seen);
	/* Watch every task, then one process again. */
	seen.everybody = true;
	set_target(&seen, NULL, 0);
	read_until(&seen, &seen.unknown_calls, 50, "call of other processes");
	read_until(&seen, &seen.numbers, 50, "call of the remaining one");
	set_target(&seen, both, 1);
	seen.alone_ns = clock_now_ns();
	seen.unknown_calls = 0;
	read_until(&seen, &seen.numbers, 200, "call of the remaining one");
	ck_assert_uint_eq(seen.unknown_calls, 0);
	ck_assert_uint_gt(seen.childrens_calls, 0);
	assert_missing_are_reported(&seen);
	engine_free(seen.engine);
	end((pid_t)seen.always);
	end((pid_t)seen.other);
	end(unknown_waker);
	idmap_release(&seen.last);
	free(seen.block);
}
END_TEST

/* The child has inherited events and gets its own: a call that both report counts once. */
START_TEST(a_child_that_is_a_target_outlives_its_parent)
{
	struct seen seen = { .last = IDMAP_INIT };
	uint32_t both[2];
	int go_fd, reported_fd;
	pid_t child;

	seen.first = both[0] = (uint32_t)start_parent(&go_fd, &reported_fd);
	seen.other = (uint32_t)start_busy();
	open_engine(&seen, &variants[_i]);
	seen.block = mem_alloc(BLOCK * sizeof(*seen.block));
	ck_assert_int_eq(write(go_fd, "", 1), 1);
	ck_assert_int_eq(read(reported_fd, &child, sizeof(child)), sizeof(child));
	seen.always = both[1] = (uint32_t)child;
	read_until(&seen, &seen.numbers, 100, "call of the child");
	for (int turn = 0; turn < 3; turn++) {
		set_target(&seen, both, 2);
		read_until(&seen, &seen.numbers, 100, "call of the child that is named too");
		set_target(&seen, &both[1], 1);
		read_until(&seen, &seen.numbers, 100, "call of the child alone");
	}
	ck_assert_uint_eq(seen.other_calls, 0);
	assert_nothing_lost(&seen);
	engine_free(seen.engine);
	end((pid_t)seen.first);
	end((pid_t)seen.other);
	kill(child, SIGKILL);
	idmap_release(&seen.last);
	free(seen.block);
}
END_TEST

Suite *suite_perf_retarget(void);
Suite *suite_perf_retarget(void)
{
	Suite *suite = suite_create("perf_retarget");
	TCase *tests = tcase_create("perf_retarget");

	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, tasks_in_both_targets_lose_no_calls, 0,
			    sizeof(variants) / sizeof(variants[0]));
	tcase_add_loop_test(tests, a_child_that_is_a_target_outlives_its_parent, 0,
			    sizeof(variants) / sizeof(variants[0]));
	suite_add_tcase(suite, tests);
	return suite;
}
