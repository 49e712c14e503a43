#include "engine/source/bpf/bpf_plan.h"

#include "engine/base/clock.h"
#include "engine/decode/syscalls.h"
#include "engine/source/bpf/bpf_calls.h"
#include "engine/source/tracefs.h"
#include "tests/unit/runner.h"
#include "tests/unit/skip.h"

#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define THREADS 8
#define CHANGES 100
#define SETTLE_EVERY 4 /* at each 4th change, wait until the plan is settled; else until reached */

/* ---- threads that make calls and count them ------------------------------------------ */

struct load {
	pid_t pid;
	struct {
		volatile bool go, stop;
		uint64_t getppids, sleeps; /* calls of all threads, set when they end */
	} * shared;
};

static void *load_thread(void *arg)
{
	const struct timespec tick = { 0, 200 * 1000 };
	struct load *load = arg;
	uint64_t getppids = 0, sleeps = 0;

	while (!load->shared->stop) {
		for (int i = 0; i < 50; i++, getppids++)
			syscall(SYS_getppid);
		syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &tick, NULL);
		sleeps++;
	}
	__atomic_add_fetch(&load->shared->getppids, getppids, __ATOMIC_RELAXED);
	__atomic_add_fetch(&load->shared->sleeps, sleeps, __ATOMIC_RELAXED);
	return NULL;
}

static void load_main(struct load *load)
{
	pthread_t threads[THREADS];

	while (!load->shared->go)
		poll(NULL, 0, 1);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, load_thread, load);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	_exit(0);
}

static void load_begin(struct load *load)
{
	load->shared = mmap(NULL, sizeof(*load->shared), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert(load->shared != MAP_FAILED);
	load->pid = fork();
	if (!load->pid)
		load_main(load);
}

static void load_end(struct load *load)
{
	load->shared->stop = true;
	waitpid(load->pid, NULL, 0);
}

/* ---- a watcher that counts records ---------------------------------------------------- */

struct watcher {
	struct target target;
	struct source_options options;
	struct perf_decode decode;
	struct bpf_calls *calls;
	struct merge merge;
	uint64_t reported[512], halves[512], lost;
};

static void take(void *ctx, const struct record *record)
{
	struct watcher *watcher = ctx;

	if (record->kind == RECORD_CALL && record->call.nr < 512)
		watcher->reported[record->call.nr]++;
	if (record->kind == RECORD_AGGREGATE && record->aggregate.nr < 512)
		watcher->reported[record->aggregate.nr] += record->aggregate.calls;
	if (record->kind == RECORD_EXIT && record->exit.nr < 512)
		watcher->halves[record->exit.nr]++;
	if (record->kind == RECORD_LOST && record->lost.kind != LOSS_OF_STREAM)
		watcher->lost += record->lost.count;
}

static void want(struct kernel_filter *filter, const uint32_t *numbers, size_t count)
{
	kernel_filter_init(filter);
	filter->by_syscall = count;
	for (size_t i = 0; i < count; i++)
		kernel_filter_allow(filter, numbers[i]);
}

static void watcher_begin(struct watcher *watcher, const char *name, pid_t pid,
			  const struct kernel_filter *filter)
{
	struct source_options *options = &watcher->options;
	struct err err = { "" };
	char path[256];

	if (geteuid())
		test_skip("%s: needs root", name);
	if (tracefs_find(path, sizeof(path), &err))
		test_skip("%s: %s", name, err.text);
	memset(watcher, 0, sizeof(*watcher));
	target_init(&watcher->target);
	watcher->target.pids = calloc(1, sizeof(*watcher->target.pids));
	watcher->target.pids[0] = (uint32_t)pid;
	watcher->target.pid_count = watcher->target.pid_cap = 1;
	options->target = &watcher->target;
	options->ring_bytes = 8 << 20;
	options->syscall_event = syscalls_event_name;
	kernel_filter_copy(&options->filter, filter);
	ck_assert(!perf_decode_init(&watcher->decode));
	if (bpf_calls_open(&watcher->calls, options, &watcher->decode, &err))
		test_skip("%s: %s", name, err.text);
	watcher->calls->plan.keep_ns = 0;
	ck_assert_msg(!bpf_calls_start(watcher->calls, &err), "%s", err.text);
	merge_init(&watcher->merge, bpf_calls_inputs(watcher->calls));
}

static void watcher_drain(struct watcher *watcher, bool last)
{
	merge_begin(&watcher->merge, clock_now_ns());
	bpf_calls_begin(watcher->calls, &watcher->merge, 0);
	while (merge_any(&watcher->merge))
		bpf_calls_drain(watcher->calls, &watcher->merge, merge_input(&watcher->merge), take,
				watcher);
	bpf_calls_settle(watcher->calls, watcher->merge.horizon_ns, last, take, watcher);
}

static void watcher_change(struct watcher *watcher, const uint32_t *numbers, size_t count)
{
	struct kernel_filter filter;
	struct err err = { "" };

	want(&filter, numbers, count);
	ck_assert_msg(!bpf_calls_set_filter(watcher->calls, &filter, &err), "%s", err.text);
}

static void watcher_wait(struct watcher *watcher, bool (*until)(struct bpf_plan *plan))
{
	do {
		watcher_drain(watcher, false);
		usleep(1000);
	} while (!until(&watcher->calls->plan));
}

static void watcher_end(struct watcher *watcher)
{
	bpf_calls_set_running(watcher->calls, false);
	watcher_drain(watcher, true);
	bpf_calls_close(watcher->calls);
	merge_release(&watcher->merge);
	perf_decode_release(&watcher->decode);
	kernel_filter_release(&watcher->options.filter);
	target_release(&watcher->target);
}

/* ---- the tests ------------------------------------------------------------------------ */

START_TEST(a_hundred_changes_lose_no_call_that_all_plans_have)
{
	static const uint32_t few[] = { SYS_getppid, SYS_clock_nanosleep };
	static const uint32_t others[] = { SYS_getppid, SYS_clock_nanosleep, SYS_getrusage };
	struct kernel_filter filter;
	struct watcher watcher;
	struct load load;

	load_begin(&load);
	want(&filter, few, 2);
	watcher_begin(&watcher, "a_hundred_changes_lose_no_call_that_all_plans_have", load.pid,
		      &filter);
	load.shared->go = true;
	for (int i = 1; i <= CHANGES; i++) {
		if (i % 3)
			watcher_change(&watcher, few, i % 3 == 1 ? 0 : 2);
		else
			watcher_change(&watcher, others, 3);
		watcher_wait(&watcher,
			     i % SETTLE_EVERY ? bpf_plan_is_reached : bpf_plan_is_settled);
	}
	load_end(&load);
	watcher_end(&watcher);
	ck_assert_uint_gt(load.shared->getppids, THREADS * 100);
	ck_assert_uint_eq(watcher.lost, 0);
	ck_assert_uint_eq(watcher.halves[SYS_getppid], 0);
	ck_assert_uint_eq(watcher.halves[SYS_clock_nanosleep], 0);
	ck_assert_uint_eq(watcher.reported[SYS_getppid], load.shared->getppids);
	ck_assert_uint_eq(watcher.reported[SYS_clock_nanosleep], load.shared->sleeps);
}
END_TEST

Suite *suite_bpf_plan(void);
Suite *suite_bpf_plan(void)
{
	Suite *suite = suite_create("bpf_plan");
	TCase *tc = tcase_create("bpf_plan");

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, a_hundred_changes_lose_no_call_that_all_plans_have);
	suite_add_tcase(suite, tc);
	return suite;
}
