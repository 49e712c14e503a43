/* Switch-outs with user registers and stack, on live events of a napping child. */
#include "engine/source/live/perf_user_stacks.h"
#include "engine/source/source.h"

#include "engine/base/clock.h"
#include "engine/source/tracefs.h"
#include "tests/unit/runner.h"
#include "tests/unit/skip.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Index of rsp among the sampled registers: after ax, bx, cx, dx, si, di, bp. */
#define SP_INDEX 7
#define STACK_BYTES 4096

struct bench {
	struct source *source;
	struct target target;
	struct source_options options;
	uint32_t own, child;
	uint64_t naps, waits, user_stacks, shallow, ins;
	uint64_t out_ns; /* last switch-out */
	bool wrong; /* impossible registers or stack */
};

static void check_deep(struct bench *bench, const struct record_stack *stack)
{
	uint64_t sp = stack->user_regs[SP_INDEX];

	bench->user_stacks++;
	if (stack->user_regs_mask != 0xff0fff || !sp || !stack->user_stack ||
	    stack->user_stack_bytes > STACK_BYTES || stack->user_stack_bytes < 64 || !stack->count)
		bench->wrong = true;
}

static void take(void *ctx, const struct record *record)
{
	struct bench *bench = ctx;

	if (record->tid != bench->child)
		return;
	if (record->kind == RECORD_ENTER && record->enter.nr == SYS_clock_nanosleep)
		bench->naps++;
	bench->ins += record->kind == RECORD_SWITCH_IN;
	if (record->kind != RECORD_SWITCH_OUT)
		return;
	if (record->switch_out.stack.user_regs)
		check_deep(bench, &record->switch_out.stack);
	else if (record->switch_out.stack.count)
		bench->shallow++;
	/* One switch can have two records; records of two naps are further apart. */
	if (record->time_ns - bench->out_ns > 200 * NS_PER_US)
		bench->waits++;
	bench->out_ns = record->time_ns;
}

static uint32_t napping_child(void)
{
	pid_t pid = fork();

	while (!pid)
		clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){ .tv_nsec = 500000 }, NULL);
	return (uint32_t)pid;
}

static void bench_init(struct bench *bench, const char *name, bool named, uint64_t budget)
{
	struct err err = { "" };
	char path[256];
	int ret;

	if (geteuid())
		test_skip("%s: needs root", name);
	if (tracefs_find(path, sizeof(path), &err))
		test_skip("%s: %s", name, err.text);
	memset(bench, 0, sizeof(*bench));
	bench->child = napping_child();
	bench->own = (uint32_t)getpid();
	target_init(&bench->target);
	kernel_filter_init(&bench->options.filter);
	bench->options.calls = SOURCE_CALLS_PERF;
	bench->options.target = &bench->target;
	bench->options.stacks = STACKS_DWARF;
	bench->options.ring_bytes = 32 << 20; /* the whole system can be busy */
	bench->options.dwarf_bytes = STACK_BYTES;
	bench->options.stack_budget = budget;
	bench->options.stack_limit = UINT32_MAX; /* a busy machine would reach a limit */
	bench->options.own_tids = &bench->own;
	bench->options.own_tid_count = 1;
	if (named) {
		bench->target.pids = malloc(sizeof(*bench->target.pids));
		bench->target.pids[0] = bench->child;
		bench->target.pid_count = bench->target.pid_cap = 1;
	}
	ret = source_open_live(&bench->source, &bench->options, &err);
	if (ret == -ENOSYS || ret == -EPERM || ret == -EACCES)
		test_skip("%s: %s", name, err.text);
	ck_assert_msg(!ret, "%s", err.text);
	ck_assert_msg(!source_start(bench->source, &err), "%s", err.text);
}

/* Drain until the child has napped `naps` more times. */
static void watch(struct bench *bench, uint64_t naps)
{
	uint64_t until = bench->naps + naps;

	while (bench->naps < until) {
		source_wait(bench->source, 5);
		ck_assert_int_eq(source_drain(bench->source, take, bench, NULL), 0);
	}
}

static void needs_all_records(const struct bench *bench, const char *name)
{
	struct source_status status;

	source_status(bench->source, &status);
	if (status.lost || status.stacks_lost)
		test_skip("%s: other processes filled the rings", name);
}

static void bench_release(struct bench *bench)
{
	source_close(bench->source);
	kill((pid_t)bench->child, SIGKILL);
	waitpid((pid_t)bench->child, NULL, 0);
	target_release(&bench->target);
	ck_assert(!bench->wrong);
}

START_TEST(a_target_process_has_user_stacks_from_the_start)
{
	struct source_status status;
	struct bench bench;

	bench_init(&bench, "a_target_process_has_user_stacks_from_the_start", true, 0);
	watch(&bench, 100);
	source_status(bench.source, &status);
	ck_assert(status.has_user_stacks && status.has_wakers && !status.budget_hit);
	ck_assert_uint_ge(bench.user_stacks, 95);
	ck_assert_uint_eq(bench.shallow, 0);
	ck_assert_uint_ge(bench.ins, 95);
	bench_release(&bench);
}
END_TEST

START_TEST(other_processes_have_user_stacks_while_requested)
{
	struct source_status status;
	struct bench bench;
	struct err err = { "" };
	uint64_t before;

	bench_init(&bench, "other_processes_have_user_stacks_while_requested", false, 0);
	watch(&bench, 50);
	needs_all_records(&bench, "other_processes_have_user_stacks_while_requested");
	ck_assert_uint_eq(bench.user_stacks, 0);
	ck_assert_uint_gt(bench.shallow, 40);
	ck_assert_msg(!source_set_user_stacks(bench.source, &bench.child, 1, &err), "%s", err.text);
	/* The rings can hold naps from before the events were enabled. */
	while (!bench.user_stacks)
		watch(&bench, 1);
	before = bench.user_stacks;
	watch(&bench, 50);
	needs_all_records(&bench, "other_processes_have_user_stacks_while_requested");
	ck_assert_uint_ge(bench.user_stacks, before + 40);
	source_status(bench.source, &status);
	ck_assert(status.has_user_stacks);
	ck_assert(!source_set_user_stacks(bench.source, NULL, 0, &err));
	watch(&bench, 20);
	before = bench.user_stacks;
	watch(&bench, 50);
	ck_assert_uint_eq(bench.user_stacks, before);
	/* Each wait was reported, with either kind of events. */
	ck_assert_uint_ge(bench.waits + 5, bench.naps);
	source_status(bench.source, &status);
	ck_assert(!status.has_user_stacks);
	bench_release(&bench);
}
END_TEST

START_TEST(past_the_budget_stacks_use_frame_pointers)
{
	struct source_status status;
	struct bench bench;

	bench_init(&bench, "past_the_budget_stacks_use_frame_pointers", true, 50 * STACK_BYTES);
	watch(&bench, 600);
	source_status(bench.source, &status);
	ck_assert(status.budget_hit);
	ck_assert_uint_ge(bench.user_stacks, 40);
	ck_assert_uint_gt(bench.shallow, 200);
	ck_assert_uint_ge(bench.waits + 10, bench.naps);
	bench_release(&bench);
}
END_TEST

START_TEST(lost_records_are_counted_and_not_passed_on)
{
	struct {
		struct perf_event_header header;
		uint64_t id, count;
	} lost = { { PERF_RECORD_LOST, 0, sizeof(lost) }, 7, 12 };
	struct perf_event_header sample = { PERF_RECORD_SAMPLE, 0, 8232 };
	struct perf_user_stack user_stacks = { .lost = 0 };

	ck_assert(perf_user_stack_take(&user_stacks, &sample));
	ck_assert(!perf_user_stack_take(&user_stacks, &lost.header));
	ck_assert_uint_eq(user_stacks.lost, 12);
	ck_assert_uint_eq(user_stacks.second_bytes, 8232 + sizeof(lost));
	/* Too short to hold a count. */
	lost.header.size = 16;
	ck_assert(!perf_user_stack_take(&user_stacks, &lost.header));
	ck_assert_uint_eq(user_stacks.lost, 12);
}
END_TEST

Suite *suite_perf_user_stacks(void);
Suite *suite_perf_user_stacks(void)
{
	Suite *suite = suite_create("perf_user_stacks");
	TCase *tc = tcase_create("perf_user_stacks");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, a_target_process_has_user_stacks_from_the_start);
	tcase_add_test(tc, other_processes_have_user_stacks_while_requested);
	tcase_add_test(tc, past_the_budget_stacks_use_frame_pointers);
	tcase_add_test(tc, lost_records_are_counted_and_not_passed_on);
	suite_add_tcase(suite, tc);
	return suite;
}
