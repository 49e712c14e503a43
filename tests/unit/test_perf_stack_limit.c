/* The limit of stacks on live events, with two processes that wake each other. */
#include "engine/source/source.h"
#include "engine/source/tracefs.h"
#include "tests/unit/runner.h"
#include "tests/unit/skip.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define A_SECOND 1000 /* stacks per CPU and second: 100 in each 100 ms */

struct bench {
	struct source *source;
	struct target target;
	struct source_options options;
	uint32_t own, child;
	uint64_t with, stack_limited, without; /* waits: with a stack, marked as limited, neither */
	uint64_t wakings, bare_wakings;
	bool waits; /* the child has left its CPU since its last switch-in */
	bool has_stack, is_rationed;
};

static void end_wait(struct bench *bench)
{
	if (bench->waits && bench->has_stack)
		bench->with++;
	else if (bench->waits && bench->is_rationed)
		bench->stack_limited++;
	else if (bench->waits)
		bench->without++;
	bench->waits = bench->has_stack = bench->is_rationed = false;
}

static void take(void *ctx, const struct record *record)
{
	struct bench *bench = ctx;

	if (record->kind == RECORD_WAKING && record->waking.tid == bench->child) {
		bench->wakings += record->waking.stack.count > 0;
		bench->bare_wakings += record->waking.stack_limited;
	}
	if (record->tid != bench->child)
		return;
	if (record->kind == RECORD_SWITCH_IN)
		end_wait(bench);
	if (record->kind != RECORD_SWITCH_OUT || record->switch_out.preempted)
		return;
	/* Waking events are enabled last: an earlier wait can lack records. */
	bench->waits = bench->wakings > 0;
	bench->has_stack |= record->switch_out.stack.count > 0;
	bench->is_rationed |= record->switch_out.stack_limited;
}

static void bounce(int from, int to)
{
	char byte = 0;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (write(to, &byte, 1) == 1 && read(from, &byte, 1) == 1)
		continue;
	_exit(0);
}

/* Fork a process that bounces a byte with its own child. */
static uint32_t bouncing_child(void)
{
	cpu_set_t first;
	int there[2], back[2];
	pid_t pid = fork();

	if (pid)
		return (uint32_t)pid;
	CPU_ZERO(&first);
	CPU_SET(0, &first);
	sched_setaffinity(0, sizeof(first), &first);
	if (pipe(there) || pipe(back))
		_exit(1);
	if (!fork())
		bounce(there[0], back[1]);
	bounce(back[0], there[1]);
	_exit(0);
}

/* Fork a process that naps on the second CPU, 200 times a second. */
static uint32_t napping_child(void)
{
	cpu_set_t second;
	pid_t pid = fork();

	if (pid)
		return (uint32_t)pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	CPU_ZERO(&second);
	CPU_SET(1, &second);
	if (sched_setaffinity(0, sizeof(second), &second))
		_exit(1);
	for (;;)
		nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
}

static void find_whether_allowed(const char *name)
{
	struct err err = { "" };
	char path[256];

	if (geteuid())
		test_skip("%s: needs root", name);
	if (tracefs_find(path, sizeof(path), &err))
		test_skip("%s: %s", name, err.text);
}

/* Requires bench->child and bench->target. */
static void bench_open(struct bench *bench, const char *name, enum stack_mode stacks)
{
	struct err err = { "" };
	int ret;

	bench->own = (uint32_t)getpid();
	kernel_filter_init(&bench->options.filter);
	bench->options.target = &bench->target;
	bench->options.stacks = stacks;
	bench->options.stack_limit = A_SECOND;
	bench->options.own_tids = &bench->own;
	bench->options.own_tid_count = 1;
	ret = source_open_live(&bench->source, &bench->options, &err);
	if (ret == -ENOSYS || ret == -EPERM || ret == -EACCES)
		test_skip("%s: %s", name, err.text);
	ck_assert_msg(!ret, "%s", err.text);
	ck_assert_msg(!source_start(bench->source, &err), "%s", err.text);
}

static void bench_init(struct bench *bench, const char *name, bool named, enum stack_mode stacks)
{
	find_whether_allowed(name);
	memset(bench, 0, sizeof(*bench));
	bench->child = bouncing_child();
	target_init(&bench->target);
	if (named) {
		bench->target.pids = malloc(sizeof(*bench->target.pids));
		bench->target.pids[0] = bench->child;
		bench->target.pid_count = bench->target.pid_cap = 1;
	}
	bench_open(bench, name, stacks);
}

/* Watch the bouncing thread and one other thread. */
static void bench_init_with(struct bench *bench, const char *name, uint32_t other)
{
	memset(bench, 0, sizeof(*bench));
	bench->child = bouncing_child();
	target_init(&bench->target);
	bench->target.tids = calloc(2, sizeof(*bench->target.tids));
	bench->target.tids[0] = bench->child;
	bench->target.tids[1] = other;
	bench->target.tid_count = bench->target.tid_cap = 2;
	bench_open(bench, name, STACKS_FP);
}

/* Drain until the limit was reached and reset 3 times, with stacks and limited wakings seen. */
static void watch_until_spent(struct bench *bench)
{
	struct source_status status = { .name = "" };
	unsigned int changes = 0;
	bool was = false, is;
	uint64_t seen = 0;

	while (changes < 6 || !bench->with || !bench->bare_wakings) {
		source_wait(bench->source, 5);
		ck_assert_int_eq(source_drain(bench->source, take, bench, NULL), 0);
		is = bench->stack_limited > seen;
		seen = bench->stack_limited;
		changes += is != was;
		was = is;
	}
	source_status(bench->source, &status);
	ck_assert(status.stack_limited);
	if (status.lost)
		test_skip("%s", "records were lost: it is unknown which waits had stacks");
}

static void check(bool named, enum stack_mode stacks, const char *name)
{
	struct bench bench;

	bench_init(&bench, name, named, stacks);
	watch_until_spent(&bench);
	source_close(bench.source);
	kill((pid_t)bench.child, SIGKILL);
	waitpid((pid_t)bench.child, NULL, 0);
	target_release(&bench.target);
	ck_assert_uint_gt(bench.stack_limited, 0);
	ck_assert_uint_eq(bench.without, 0);
	/* Wakings are reported at all times. */
	ck_assert_uint_ge(bench.wakings + bench.bare_wakings + 5, bench.with + bench.stack_limited);
}

START_TEST(each_wait_has_a_stack_or_is_marked)
{
	check(true, STACKS_FP, "each_wait_has_a_stack_or_is_marked");
}
END_TEST

START_TEST(system_wide_waits_have_a_stack_or_are_marked)
{
	check(false, STACKS_FP, "system_wide_waits_have_a_stack_or_are_marked");
}
END_TEST

START_TEST(waits_with_user_stacks_have_a_stack_or_are_marked)
{
	check(true, STACKS_DWARF, "waits_with_user_stacks_have_a_stack_or_are_marked");
}
END_TEST

struct pair {
	struct bench busy, calm;
};

static void take_both(void *ctx, const struct record *record)
{
	struct pair *pair = ctx;

	take(&pair->busy, record);
	take(&pair->calm, record);
}

/* With threads as targets, wakings of other threads do not count towards the limit. */
START_TEST(a_cpu_at_its_limit_leaves_other_cpus_unlimited)
{
	struct pair pair = { .busy = { .own = 0 } };
	struct bench *busy = &pair.busy, *calm = &pair.calm;
	struct source_status status = { .name = "" };
	unsigned int changes = 0;
	uint64_t seen = 0;
	bool was = false, is;

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		test_skip("%s", "a_cpu_at_its_limit_leaves_other_cpus_unlimited: one CPU");
	find_whether_allowed("a_cpu_at_its_limit_leaves_other_cpus_unlimited");
	calm->child = napping_child();
	bench_init_with(busy, "a_cpu_at_its_limit_leaves_other_cpus_unlimited", calm->child);
	while (changes < 6 || calm->with < 50) {
		source_wait(busy->source, 5);
		ck_assert_int_eq(source_drain(busy->source, take_both, &pair, NULL), 0);
		is = busy->stack_limited > seen;
		seen = busy->stack_limited;
		changes += is != was;
		was = is;
	}
	source_status(busy->source, &status);
	if (status.lost)
		test_skip("%s", "records were lost: it is unknown which waits had stacks");
	ck_assert_uint_gt(busy->stack_limited, 0);
	ck_assert_uint_eq(calm->stack_limited, 0);
	ck_assert_uint_eq(calm->without, 0);
	source_close(busy->source);
	kill((pid_t)busy->child, SIGKILL);
	kill((pid_t)calm->child, SIGKILL);
	waitpid((pid_t)busy->child, NULL, 0);
	waitpid((pid_t)calm->child, NULL, 0);
	target_release(&busy->target);
}
END_TEST

Suite *suite_perf_stack_limit(void);
Suite *suite_perf_stack_limit(void)
{
	Suite *suite = suite_create("perf_stack_limit");
	TCase *tc = tcase_create("perf_stack_limit");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, each_wait_has_a_stack_or_is_marked);
	tcase_add_test(tc, system_wide_waits_have_a_stack_or_are_marked);
	tcase_add_test(tc, waits_with_user_stacks_have_a_stack_or_are_marked);
	tcase_add_test(tc, a_cpu_at_its_limit_leaves_other_cpus_unlimited);
	suite_add_tcase(suite, tc);
	return suite;
}
