#include "engine/model/pairing.h"
#include "engine/model/waits.h"

#include "tests/unit/records.h"
#include "tests/unit/runner.h"

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#define MS 1000000ULL
#define STEPS_MAX 10

/* Expected calls, in order; dur_ns -1: unknown. */
struct want {
	enum call_state state;
	uint32_t tid, nr;
	uint64_t enter_ns;
	int64_t dur_ns, ret;
};

/*
 * Records are of thread 7 or name another one. FIRST makes the thread known, so that its orphans
 * are not dropped as calls from before collection.
 */
#define FIRST record_enter(1, 7, SYS_getpid, 0), record_exit(2, 7, SYS_getpid, 7)
#define FIRST_DONE \
	{ \
		CALL_DONE, 7, SYS_getpid, 1, 1, 7 \
	}

struct story {
	const char *name;
	struct record steps[STEPS_MAX];
	struct want wants[STEPS_MAX]; /* the list ends at enter_ns 0 */
	bool in_flight; /* thread 7 is in a call afterwards */
};

static void check_story(const struct story *story)
{
	struct pair_bench *bench = pair_bench_new();
	const struct task *task;
	size_t count = 0;

	for (size_t i = 0; i < STEPS_MAX && story->steps[i].time_ns; i++)
		pair_bench_feed(bench, story->steps[i]);
	for (; count < STEPS_MAX && story->wants[count].enter_ns; count++) {
		const struct want *want = &story->wants[count];
		const struct call *call = &bench->done.calls[count];

		ck_assert_msg(bench->done.count > count, "%s: call %zu is missing", story->name,
			      count);
		ck_assert_msg(call->state == want->state, "%s: call %zu has state %d", story->name,
			      count, call->state);
		ck_assert_msg(call->tid == want->tid && call->nr == want->nr,
			      "%s: call %zu is %u of thread %u", story->name, count, call->nr,
			      call->tid);
		ck_assert_msg(call->enter_ns == want->enter_ns && call->dur_ns == want->dur_ns,
			      "%s: call %zu took %ld from %lu", story->name, count,
			      (long)call->dur_ns, (unsigned long)call->enter_ns);
		ck_assert_msg(call->ret == want->ret, "%s: call %zu returned %ld", story->name,
			      count, (long)call->ret);
	}
	ck_assert_msg(bench->done.count == count, "%s: %zu calls", story->name, bench->done.count);
	task = tasks_find(bench->tasks, 7);
	ck_assert_msg((task && task->in_call) == story->in_flight, "%s: in flight", story->name);
	ck_assert_msg(bench->pairing.in_flight == story->in_flight, "%s: %lu in flight",
		      story->name, (unsigned long)bench->pairing.in_flight);
	ck_assert_msg(!bench->pairing.held, "%s: held", story->name);
	pair_bench_free(bench);
}

/* clang-format off */
START_TEST(every_sequence_has_its_outcome)
{
	const struct story stories[] = {
		{ "a plain call",
		  { record_enter(10, 7, SYS_read, 3), record_exit(15, 7, SYS_read, 100) },
		  { { CALL_DONE, 7, SYS_read, 10, 5, 100 } }, false },
		{ "reported late, after records of another CPU",
		  { FIRST, record_late_enter(30, 10, 7, SYS_read, 3),
		    record_late_exit(40, 15, 7, SYS_read, 100) },
		  { FIRST_DONE, { CALL_DONE, 7, SYS_read, 10, 5, 100 } }, false },
		{ "a late exit of a call that began before",
		  { FIRST, record_late_exit(40, 15, 7, SYS_read, 100) },
		  { FIRST_DONE, { CALL_ORPHAN, 7, SYS_read, 15, -1, 100 } }, false },
		{ "a failed call",
		  { record_enter(10, 7, SYS_openat, 3), record_exit(15, 7, SYS_openat, -2) },
		  { { CALL_DONE, 7, SYS_openat, 10, 5, -2 } }, false },
		{ "still running", { FIRST, record_enter(10, 7, SYS_read, 3) },
		  { FIRST_DONE }, true },
		{ "an exit without its enter", { FIRST, record_exit(15, 7, SYS_read, 100) },
		  { FIRST_DONE, { CALL_ORPHAN, 7, SYS_read, 15, -1, 100 } }, false },
		{ "the first exit of a thread belongs to a call from before collection",
		  { record_exit(15, 7, SYS_read, 100) }, { { 0 } }, false },
		{ "the second one does not",
		  { record_exit(15, 7, SYS_read, 100), record_exit(16, 7, SYS_read, 100) },
		  { { CALL_ORPHAN, 7, SYS_read, 16, -1, 100 } }, false },
		{ "a child's return from clone is not a call of its own",
		  { FIRST, record_enter(10, 7, SYS_clone, 0), record_fork(11, 7, 8, 8),
		    record_exit(12, 8, SYS_clone, 0), record_exit(13, 7, SYS_clone, 8),
		    record_exit(14, 8, SYS_read, 1) },
		  { FIRST_DONE, { CALL_DONE, 7, SYS_clone, 10, 3, 8 },
		    { CALL_ORPHAN, 8, SYS_read, 14, -1, 1 } }, false },
		{ "nor is it if the tid was reused",
		  { record_enter(1, 8, SYS_getpid, 0), record_exit(2, 8, SYS_getpid, 8),
		    record_task_exit(3, 8), record_fork(4, 7, 8, 8),
		    record_exit(5, 8, SYS_clone3, 0) },
		  { { CALL_DONE, 8, SYS_getpid, 1, 1, 8 } }, false },
		{ "another enter: the call was left",
		  { record_enter(10, 7, SYS_read, 3), record_enter(20, 7, SYS_write, 3) },
		  { { CALL_ENDED, 7, SYS_read, 10, -1, 0 } }, true },
		{ "another enter after a loss: its exit was lost",
		  { record_enter(10, 7, SYS_read, 3), record_lost(15, 3, 5),
		    record_enter(20, 7, SYS_write, 3) },
		  { { CALL_LOST_EXIT, 7, SYS_read, 10, -1, 0 } }, true },
		{ "a loss before the call does not affect it",
		  { record_lost(5, 3, 5), record_enter(10, 7, SYS_read, 3),
		    record_enter(20, 7, SYS_write, 3) },
		  { { CALL_ENDED, 7, SYS_read, 10, -1, 0 } }, true },
		{ "an exit of another number: a lost exit and an orphan",
		  { record_enter(10, 7, SYS_read, 3), record_exit(20, 7, SYS_write, 9) },
		  { { CALL_LOST_EXIT, 7, SYS_read, 10, -1, 0 },
		    { CALL_ORPHAN, 7, SYS_write, 20, -1, 9 } }, false },
		{ "the thread ends inside",
		  { record_enter(10, 7, SYS_read, 3), record_task_exit(30, 7) },
		  { { CALL_ENDED, 7, SYS_read, 10, 20, 0 } }, false },
		{ "exit_group",
		  { record_enter(10, 7, SYS_exit_group, 0), record_task_exit(30, 7) },
		  { { CALL_ENDED, 7, SYS_exit_group, 10, 20, 0 } }, false },
		{ "a restart by restart_syscall is the same call",
		  { record_enter(10, 7, SYS_nanosleep, 3), record_exit(20, 7, SYS_nanosleep, -516),
		    record_enter(21, 7, SYS_restart_syscall, 3),
		    record_exit(30, 7, SYS_restart_syscall, 0) },
		  { { CALL_DONE, 7, SYS_nanosleep, 10, 20, 0 } }, false },
		{ "a restart by itself is the same call",
		  { record_enter(10, 7, SYS_read, 3), record_exit(20, 7, SYS_read, -512),
		    record_enter(21, 7, SYS_read, 3), record_exit(30, 7, SYS_read, 4) },
		  { { CALL_DONE, 7, SYS_read, 10, 20, 4 } }, false },
		{ "restarted twice",
		  { record_enter(10, 7, SYS_read, 3), record_exit(20, 7, SYS_read, -512),
		    record_enter(21, 7, SYS_read, 3), record_exit(25, 7, SYS_read, -513),
		    record_enter(26, 7, SYS_read, 3), record_exit(30, 7, SYS_read, 4) },
		  { { CALL_DONE, 7, SYS_read, 10, 20, 4 } }, false },
		{ "the same number with other arguments is another call",
		  { record_enter(10, 7, SYS_read, 3), record_exit(20, 7, SYS_read, -512),
		    record_enter(21, 7, SYS_read, 4), record_exit(30, 7, SYS_read, 5) },
		  { { CALL_DONE, 7, SYS_read, 10, 10, -512 },
		    { CALL_DONE, 7, SYS_read, 21, 9, 5 } }, false },
		{ "not restarted: a handler runs first",
		  { record_enter(10, 7, SYS_pause, 0), record_exit(20, 7, SYS_pause, -514),
		    record_enter(21, 7, SYS_rt_sigreturn, 0),
		    record_exit(22, 7, (uint32_t)-1, -4), record_enter(23, 7, SYS_pause, 0) },
		  { { CALL_DONE, 7, SYS_pause, 10, 10, -514 },
		    { CALL_DONE, 7, SYS_rt_sigreturn, 21, 1, -4 } }, true },
		{ "held until the thread ends",
		  { record_enter(10, 7, SYS_read, 3), record_exit(20, 7, SYS_read, -512),
		    record_task_exit(30, 7) },
		  { { CALL_ENDED, 7, SYS_read, 10, 10, 0 } }, false },
		{ "a program's start without its execve",
		  { record_comm(10, 7, "new", true), record_exit(12, 7, SYS_execve, 0),
		    record_enter(13, 7, SYS_brk, 0) },
		  { { CALL_ORPHAN, 7, SYS_execve, 12, -1, 0 } }, true },
		{ "the same after a seed, whose exit is unknown",
		  { record_inflight(5, 7, SYS_read, 6), record_comm(10, 7, "new", true),
		    record_exit(12, 7, SYS_execve, 0) },
		  { { CALL_ORPHAN, 7, SYS_execve, 12, -1, 0 } }, false },
		{ "the same after a call, whose exit must have been lost",
		  { record_enter(5, 7, SYS_read, 6), record_lost(6, 0, 1),
		    record_comm(10, 7, "new", true), record_exit(12, 7, SYS_execve, 0) },
		  { { CALL_LOST_EXIT, 7, SYS_read, 5, -1, 0 },
		    { CALL_ORPHAN, 7, SYS_execve, 12, -1, 0 } }, false },
		{ "held, then an exit without an enter",
		  { record_enter(10, 7, SYS_read, 3), record_exit(20, 7, SYS_read, -512),
		    record_exit(30, 7, SYS_read, 6) },
		  { { CALL_DONE, 7, SYS_read, 10, 10, -512 },
		    { CALL_ORPHAN, 7, SYS_read, 30, -1, 6 } }, false },
		{ "sigreturn restores any result and number",
		  { record_enter(10, 7, SYS_rt_sigreturn, 0), record_exit(12, 7, SYS_read, -512),
		    record_enter(13, 7, SYS_write, 0) },
		  { { CALL_DONE, 7, SYS_rt_sigreturn, 10, 2, -512 } }, true },
		{ "a result that sigreturn restores is not a restart",
		  { record_enter(10, 7, SYS_rt_sigreturn, 0),
		    record_exit(12, 7, SYS_rt_sigreturn, -512),
		    record_enter(13, 7, SYS_rt_sigreturn, 0),
		    record_exit(14, 7, SYS_rt_sigreturn, -512) },
		  { { CALL_DONE, 7, SYS_rt_sigreturn, 10, 2, -512 },
		    { CALL_DONE, 7, SYS_rt_sigreturn, 13, 1, -512 } }, false },
		{ "a seed is a call in flight",
		  { record_inflight(10, 7, SYS_read, 3) }, { { 0 } }, true },
		{ "a seed's exit counts, with an unknown duration",
		  { record_inflight(10, 7, SYS_read, 3), record_exit(20, 7, SYS_read, 4) },
		  { { CALL_DONE, 7, SYS_read, 10, -1, 4 } }, false },
		{ "a seed of a thread with earlier records is ignored",
		  { FIRST, record_inflight(10, 7, SYS_read, 3), record_exit(20, 7, SYS_read, 4) },
		  { FIRST_DONE, { CALL_ORPHAN, 7, SYS_read, 20, -1, 4 } }, false },
		{ "a seed does not replace a call in flight",
		  { record_enter(10, 7, SYS_read, 3), record_inflight(11, 7, SYS_poll, 3),
		    record_exit(20, 7, SYS_read, 4) },
		  { { CALL_DONE, 7, SYS_read, 10, 10, 4 } }, false },
		{ "a seed and its whole call are one call, despite losses",
		  { record_inflight(10, 7, SYS_read, 3), record_lost(20, 0, 5),
		    record_call(5, 30, 7, SYS_read, 3, 4) },
		  { { CALL_DONE, 7, SYS_read, 5, 25, 4 } }, false },
		{ "the same, with a late enter before",
		  { record_inflight(10, 7, SYS_read, 3), record_lost(11, 0, 5),
		    record_late_enter(15, 5, 7, SYS_read, 3),
		    record_call(5, 30, 7, SYS_read, 3, 4) },
		  { { CALL_DONE, 7, SYS_read, 5, 25, 4 } }, false },
		{ "the same, entered after the time of the seed",
		  { record_inflight(10, 7, SYS_read, 3), record_lost(11, 0, 5),
		    record_call(12, 30, 7, SYS_read, 3, 4) },
		  { { CALL_DONE, 7, SYS_read, 12, 18, 4 } }, false },
		{ "a call with other arguments is not the seed",
		  { record_inflight(10, 7, SYS_read, 3), record_lost(11, 0, 5),
		    record_call(12, 30, 7, SYS_read, 4, 4) },
		  { { CALL_LOST_EXIT, 7, SYS_read, 10, -1, 0 },
		    { CALL_DONE, 7, SYS_read, 12, 18, 4 } }, false },
		{ "the thread of a seed ends",
		  { record_inflight(10, 7, SYS_read, 3), record_task_exit(20, 7) },
		  { { CALL_ENDED, 7, SYS_read, 10, -1, 0 } }, false },
		{ "a reused tid: the call of the earlier thread is over",
		  { record_enter(10, 7, SYS_read, 3), record_fork(20, 5, 7, 7) },
		  { { CALL_ENDED, 7, SYS_read, 10, -1, 0 } }, false },
		{ "the same, detected only by the pid",
		  { of_pid(record_enter(10, 7, SYS_read, 3), 6), record_enter(20, 7, SYS_poll, 0) },
		  { { CALL_ENDED, 7, SYS_read, 10, -1, 0 } }, true },
		{ "paused while a call ran: its duration is unknown",
		  { record_enter(10, 7, SYS_read, 3), record_gap(20),
		    record_exit(30, 7, SYS_read, 4) },
		  { { CALL_DONE, 7, SYS_read, 10, -1, 4 } }, false },
		{ "paused while a restart was awaited",
		  { record_enter(10, 7, SYS_read, 3), record_exit(12, 7, SYS_read, -512),
		    record_gap(20), record_enter(30, 7, SYS_read, 3) },
		  { { CALL_DONE, 7, SYS_read, 10, 2, -512 } }, true },
		{ "paused while a call ran: in another call afterwards",
		  { record_enter(10, 7, SYS_read, 3), record_gap(20),
		    record_enter(30, 7, SYS_write, 4) },
		  { { CALL_LOST_EXIT, 7, SYS_read, 10, -1, 0 } }, true },
		{ "paused: the first exit belongs to a call from the pause",
		  { FIRST, record_gap(20), record_exit(30, 7, SYS_write, 4) },
		  { FIRST_DONE }, false },
		{ "paused: in another call now, by /proc",
		  { record_enter(10, 7, SYS_read, 3), record_gap(20),
		    record_inflight(21, 7, SYS_poll, 4), record_exit(30, 7, SYS_poll, 1) },
		  { { CALL_LOST_EXIT, 7, SYS_read, 10, -1, 0 },
		    { CALL_DONE, 7, SYS_poll, 21, -1, 1 } }, false },
		{ "paused: still in the same call, by /proc",
		  { record_enter(10, 7, SYS_read, 3), record_gap(20),
		    record_inflight(21, 7, SYS_read, 3), record_exit(30, 7, SYS_read, 1) },
		  { { CALL_DONE, 7, SYS_read, 10, -1, 1 } }, false },
		{ "a loss on its CPU: perhaps two calls",
		  { record_enter(10, 7, SYS_read, 3), record_lost(20, 0, 5),
		    record_exit(30, 7, SYS_read, 4) },
		  { { CALL_DONE, 7, SYS_read, 10, -1, 4 } }, false },
		{ "a loss on the CPU of the enter",
		  { record_enter(10, 7, SYS_read, 3), record_lost(20, 0, 5),
		    on_cpu(record_exit(30, 7, SYS_read, 4), 1) },
		  { { CALL_DONE, 7, SYS_read, 10, -1, 4 } }, false },
		{ "a loss on the CPU of the exit",
		  { record_enter(10, 7, SYS_read, 3), record_lost(20, 1, 5),
		    on_cpu(record_exit(30, 7, SYS_read, 4), 1) },
		  { { CALL_DONE, 7, SYS_read, 10, -1, 4 } }, false },
		{ "a loss elsewhere",
		  { record_enter(10, 7, SYS_read, 3), record_lost(20, 2, 5),
		    record_exit(30, 7, SYS_read, 4) },
		  { { CALL_DONE, 7, SYS_read, 10, 20, 4 } }, false },
		{ "numbers that no kernel has",
		  { record_enter(10, 7, 0x40000000, 3), record_exit(11, 7, 0x40000000, -38) },
		  { { CALL_DONE, 7, UINT16_MAX, 10, 1, -38 } }, false },
	};

	/* clang-format on */
	for (size_t i = 0; i < sizeof(stories) / sizeof(stories[0]); i++)
		check_story(&stories[i]);
}
END_TEST

START_TEST(flags_and_arguments_are_stored)
{
	struct pair_bench *bench = pair_bench_new();
	struct record enter = on_cpu(of_pid(record_enter(10, 7, SYS_exit, 0), 5), 3);
	const struct call *call = &tasks_get(bench->tasks, 5, 7)->call;

	for (uint64_t i = 0; i < SYSCALL_ARGS; i++)
		enter.enter.args[i] = 100 + i;
	pair_bench_feed(bench, enter);
	ck_assert_uint_eq(call->flags, CALL_NO_RETURN);
	ck_assert_uint_eq(call->pid, 5);
	ck_assert_uint_eq(call->tid, 7);
	ck_assert_uint_eq(call->cpu, 3);
	ck_assert_int_eq(call->dur_ns, -1);
	for (uint64_t i = 0; i < SYSCALL_ARGS; i++)
		ck_assert_uint_eq(call->args[i], 100 + i);
	pair_bench_feed(bench, of_pid(record_inflight(5, 8, SYS_futex, 9), 5));
	ck_assert_uint_eq(tasks_find(bench->tasks, 8)->call.flags, CALL_SEEDED);
	ck_assert_uint_eq(tasks_find(bench->tasks, 8)->call.args[0], 9);
	/* Like an in-flight record, a call across a pause has an uncertain enter time. */
	pair_bench_feed(bench, record_enter(20, 9, SYS_read, 0));
	pair_bench_feed(bench, record_gap(30));
	pair_bench_feed(bench, record_exit(40, 9, SYS_read, 0));
	ck_assert_uint_eq(bench->done.calls[0].flags, CALL_SEEDED | CALL_WAITS_UNKNOWN);
	pair_bench_free(bench);
}
END_TEST

START_TEST(a_held_call_ends_after_100_ms)
{
	struct pair_bench *bench = pair_bench_new();
	struct pairing *pairing = &bench->pairing;

	for (uint32_t tid = 1; tid <= 3; tid++) {
		pair_bench_feed(bench, record_enter(tid * MS, tid, SYS_read, 0));
		pair_bench_feed(bench, record_exit(tid * MS + 5, tid, SYS_read, -512));
	}
	ck_assert_uint_eq(pairing->held, 3);
	ck_assert_uint_eq(pairing->in_flight, 3);
	pairing_settle(pairing, 1 * MS + 4 + PAIRING_SETTLE_NS);
	ck_assert_uint_eq(bench->done.count, 0);
	pairing_settle(pairing, 1 * MS + 5 + PAIRING_SETTLE_NS);
	ck_assert_uint_eq(bench->done.count, 1);
	ck_assert_int_eq(bench->done.calls[0].dur_ns, 5);
	ck_assert_int_eq(bench->done.calls[0].ret, -512);
	/* The restart is late: a new call begins, even without pairing_settle() in between. */
	pair_bench_feed(bench, record_enter(4 * MS, 1, SYS_read, 0));
	pair_bench_feed(bench, record_exit(4 * MS + 5, 1, SYS_read, -512));
	pair_bench_feed(bench,
			record_enter(4 * MS + 5 + PAIRING_SETTLE_NS, 1, SYS_restart_syscall, 0));
	ck_assert_uint_eq(bench->done.count, 2);
	ck_assert_int_eq(bench->done.calls[1].dur_ns, 5);
	pair_bench_feed(bench,
			record_exit(4 * MS + 6 + PAIRING_SETTLE_NS, 1, SYS_restart_syscall, 0));
	ck_assert_uint_eq(bench->done.count, 3);
	ck_assert_int_eq(bench->done.calls[2].dur_ns, 1);
	/* Thread 2, in the middle of the list, resumes its call; that of thread 3 is settled. */
	pair_bench_feed(bench, record_enter(3 * MS, 2, SYS_read, 0));
	ck_assert_uint_eq(pairing->held, 1);
	pairing_settle(pairing, UINT64_MAX);
	ck_assert_uint_eq(bench->done.count, 4);
	ck_assert_uint_eq(bench->done.calls[3].tid, 3);
	ck_assert_uint_eq(pairing->in_flight, 1);
	pair_bench_free(bench);
}
END_TEST

/* A read that returned for a restart at 15 ns, and an enter at 20 ns. */
START_TEST(an_enter_resumes_the_call_or_begins_another)
{
	static const struct {
		const char *name;
		enum record_resume resumes;
		uint32_t nr;
		uint64_t arg0;
		size_t calls; /* finished after the exit at 30 ns */
		int64_t first_ns; /* duration of the first one */
	} cases[] = {
		{ "the same call, resume unknown", RESUME_UNKNOWN, SYS_read, 3, 1, 20 },
		{ "the same call with other arguments", RESUME_UNKNOWN, SYS_read, 4, 2, 5 },
		{ "resumed", RESUME_YES, SYS_read, 3, 1, 20 },
		{ "resumed by restart_syscall", RESUME_YES, SYS_restart_syscall, 0, 1, 20 },
		{ "the same call after a handler", RESUME_NO, SYS_read, 3, 2, 5 },
		{ "a silent enter that resumes", RESUME_SILENT, SYS_restart_syscall, 0, 1, 20 },
		{ "a silent enter after a handler", RESUME_SILENT, SYS_rt_sigreturn, 0, 1, 5 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pair_bench *bench = pair_bench_new();
		struct record enter = record_enter(20, 7, cases[i].nr, cases[i].arg0);
		struct record exit = record_exit(30, 7, cases[i].nr, 1);

		enter.enter.resumes = (uint8_t)cases[i].resumes;
		exit.exit.silent = cases[i].resumes == RESUME_SILENT;
		pair_bench_feed(bench, record_enter(10, 7, SYS_read, 3));
		pair_bench_feed(bench, record_exit(15, 7, SYS_read, -514));
		pair_bench_feed(bench, enter);
		pair_bench_feed(bench, exit);
		ck_assert_msg(bench->done.count == cases[i].calls, "%s: %zu calls", cases[i].name,
			      bench->done.count);
		ck_assert_msg(bench->done.calls[0].dur_ns == cases[i].first_ns, "%s: %lld ns",
			      cases[i].name, (long long)bench->done.calls[0].dur_ns);
		pair_bench_free(bench);
	}
}
END_TEST

/* Calls that the filter drops are not shown, whatever state the thread is in. */
START_TEST(silent_calls_are_not_counted)
{
	struct pair_bench *bench = pair_bench_new();
	struct record enter = record_enter(20, 7, SYS_restart_syscall, 0);
	struct record exit = record_exit(30, 7, SYS_restart_syscall, 0);
	struct record back = record_enter(40, 7, SYS_rt_sigreturn, 0);

	enter.enter.resumes = back.enter.resumes = RESUME_SILENT;
	exit.exit.silent = true;
	pair_bench_feed(bench, record_call(5, 6, 7, SYS_read, 3, 1));
	pair_bench_feed(bench, enter);
	pair_bench_feed(bench, exit);
	pair_bench_feed(bench, back);
	ck_assert_uint_eq(bench->done.count, 1);
	ck_assert_uint_eq(bench->pairing.in_flight, 0);
	pair_bench_feed(bench, record_enter(50, 7, SYS_read, 3));
	pair_bench_feed(bench, back);
	pair_bench_feed(bench, record_exit(60, 7, SYS_read, 1));
	ck_assert_uint_eq(bench->done.count, 2);
	ck_assert_int_eq(bench->done.calls[1].dur_ns, 10);
	pair_bench_free(bench);
}
END_TEST

START_TEST(execve_has_the_new_name)
{
	struct pair_bench *bench = pair_bench_new();
	uint32_t generation;

	pair_bench_feed(bench, record_task(1, 7, 7, "sh"));
	generation = tasks_process(bench->tasks, 7)->generation;
	pair_bench_feed(bench, record_enter(10, 7, SYS_execve, 3));
	pair_bench_feed(bench, record_comm(15, 7, "ls", true));
	pair_bench_feed(bench, record_exit(20, 7, SYS_execve, 0));
	ck_assert_uint_eq(bench->done.count, 1);
	ck_assert_int_eq(bench->done.calls[0].state, CALL_DONE);
	ck_assert_str_eq(tasks_name(bench->tasks, bench->done.calls[0].comm_id), "ls");
	ck_assert_str_eq(tasks_name(bench->tasks, tasks_process(bench->tasks, 7)->comm_id), "ls");
	ck_assert_uint_ne(tasks_process(bench->tasks, 7)->generation, generation);

	/* A failed execve changes nothing. */
	generation = tasks_process(bench->tasks, 7)->generation;
	pair_bench_feed(bench, record_enter(30, 7, SYS_execve, 3));
	pair_bench_feed(bench, record_exit(40, 7, SYS_execve, -2));
	ck_assert_int_eq(bench->done.calls[1].ret, -2);
	ck_assert_uint_eq(tasks_process(bench->tasks, 7)->generation, generation);
	pair_bench_free(bench);
}
END_TEST

/*
 * Thread 8 of process 7 executes a program: its siblings and the leader end, and it returns as
 * thread 7. nr: execve or execveat. reported: with a COMM record. leader_in_call: the leader is
 * blocked in a call.
 */
static void exec_by_thread(uint32_t nr, bool reported, bool leader_in_call)
{
	struct pair_bench *bench = pair_bench_new();
	const struct call *last;

	pair_bench_feed(bench, of_pid(record_enter(1, 7, SYS_futex, 0), 7));
	if (!leader_in_call)
		pair_bench_feed(bench, of_pid(record_exit(2, 7, SYS_futex, 0), 7));
	pair_bench_feed(bench, of_pid(record_enter(3, 9, SYS_futex, 0), 7));
	pair_bench_feed(bench, of_pid(record_enter(10, 8, nr, 0x1234), 7));
	pair_bench_feed(bench, record_task_exit(11, 9));
	pair_bench_feed(bench, record_task_exit(12, 7));
	if (reported) {
		pair_bench_feed(bench, of_pid(record_comm(13, 7, "new", true), 7));
		ck_assert(tasks_find(bench->tasks, 7)->in_call);
		ck_assert(!tasks_find(bench->tasks, 8)->in_call);
		ck_assert(tasks_find(bench->tasks, 8)->ended);
	}
	pair_bench_feed(bench, of_pid(record_exit(20, 7, nr, 0), 7));
	pair_bench_feed(bench, of_pid(record_enter(21, 7, SYS_brk, 0), 7));
	pair_bench_feed(bench, of_pid(record_exit(22, 7, SYS_brk, 0), 7));

	ck_assert_uint_eq(bench->done.count, 4);
	last = &bench->done.calls[2];
	ck_assert_int_eq(last->state, CALL_DONE);
	ck_assert_uint_eq(last->nr, nr);
	ck_assert_uint_eq(last->tid, 7);
	ck_assert_uint_eq(last->enter_ns, 10);
	ck_assert_int_eq(last->dur_ns, 10);
	ck_assert_uint_eq(last->args[0], 0x1234);
	ck_assert_str_eq(tasks_name(bench->tasks, last->comm_id), reported ? "new" : "");
	ck_assert_uint_eq(bench->pairing.in_flight, 0);
	ck_assert_uint_eq(tasks_process(bench->tasks, 7)->threads, 1);
	pair_bench_free(bench);
}

START_TEST(execve_by_another_thread_returns_as_the_leader)
{
	for (int i = 0; i < 8; i++)
		exec_by_thread(i & 1 ? SYS_execve : SYS_execveat, i & 2, i & 4);
}
END_TEST

static bool keeps_futexes(void *ctx, const struct call *call)
{
	(void)ctx;
	return call->nr == SYS_futex;
}

/* A call whose exit the kernel drops from now on would stay in flight for ever. */
START_TEST(calls_that_are_no_longer_collected_are_forgotten)
{
	struct pair_bench *bench = pair_bench_new();

	pair_bench_feed(bench, record_enter(1, 7, SYS_futex, 0));
	pair_bench_feed(bench, record_enter(2, 8, SYS_read, 0));
	ck_assert_uint_eq(bench->pairing.in_flight, 2);
	pairing_forget(&bench->pairing, keeps_futexes, NULL);
	ck_assert_uint_eq(bench->pairing.in_flight, 1);
	ck_assert(tasks_find(bench->pairing.tasks, 7)->in_call);
	ck_assert(!tasks_find(bench->pairing.tasks, 8)->in_call);
	ck_assert_uint_eq(bench->done.count, 0);
	pair_bench_feed(bench, record_enter(3, 8, SYS_futex, 0));
	pair_bench_feed(bench, record_exit(4, 8, SYS_futex, 0));
	ck_assert_uint_eq(bench->done.count, 1);
	ck_assert_int_eq(bench->done.calls[0].state, CALL_DONE);
	pair_bench_free(bench);
}
END_TEST

START_TEST(orphans_from_before_collection_are_counted)
{
	struct pair_bench *bench = pair_bench_new();

	pair_bench_feed(bench, record_exit(10, 7, SYS_read, 1));
	ck_assert_uint_eq(bench->pairing.dropped_orphans, 1);
	/* The first exit of a child does not count: it has no enter. */
	pair_bench_feed(bench, record_exit(11, 8, SYS_vfork, 0));
	ck_assert_uint_eq(bench->pairing.dropped_orphans, 1);
	ck_assert_uint_eq(bench->done.count, 0);
	pair_bench_free(bench);
}
END_TEST

/* The wait can span two calls, so it is unknown when the first call returned. */
START_TEST(after_a_loss_a_wait_does_not_give_the_duration)
{
	struct pair_bench *bench = pair_bench_new();
	struct record out = record_switch_out(11, 7, false), in = record_switch_in(90, 7);

	pair_bench_feed(bench, record_enter(10, 7, SYS_read, 3));
	pairing_switch_out(&bench->pairing, &out, 0);
	pair_bench_feed(bench, record_lost(50, 0, 1));
	pairing_switch_in(&bench->pairing, &in);
	pair_bench_feed(bench, record_exit(100, 7, SYS_read, 4));
	ck_assert_int_eq(bench->done.calls[0].dur_ns, -1);
	ck_assert_uint_eq(bench->done.calls[0].blocked_ns, 79);
	pair_bench_free(bench);
}
END_TEST

/* Records of a source that reports a call at its exit, and earlier if it blocks. */
/* clang-format off */
START_TEST(whole_calls_are_exact)
{
	const struct story stories[] = {
		{ "a call by itself", { record_call(10, 15, 7, SYS_read, 3, 100) },
		  { { CALL_DONE, 7, SYS_read, 10, 5, 100 } }, false },
		{ "a call reported when it blocked",
		  { record_late_enter(12, 10, 7, SYS_read, 3),
		    record_call(10, 15, 7, SYS_read, 3, 100) },
		  { { CALL_DONE, 7, SYS_read, 10, 5, 100 } }, false },
		{ "a late enter after the call ended",
		  { record_call(10, 15, 7, SYS_read, 3, 100),
		    record_late_enter(16, 10, 7, SYS_read, 3) },
		  { { CALL_DONE, 7, SYS_read, 10, 5, 100 } }, false },
		{ "in flight", { record_late_enter(12, 10, 7, SYS_read, 3) }, { { 0 } }, true },
		{ "losses do not matter",
		  { record_late_enter(10, 10, 7, SYS_read, 3), record_lost(12, 0, 5),
		    record_call(10, 15, 7, SYS_read, 3, 100) },
		  { { CALL_DONE, 7, SYS_read, 10, 5, 100 } }, false },
		{ "after a call whose end was lost",
		  { record_late_enter(10, 10, 7, SYS_read, 3), record_lost(12, 0, 1),
		    record_call(20, 25, 7, SYS_write, 3, 1) },
		  { { CALL_LOST_EXIT, 7, SYS_read, 10, -1, 0 },
		    { CALL_DONE, 7, SYS_write, 20, 5, 1 } }, false },
		{ "a seeded call, then another one",
		  { record_inflight(5, 7, SYS_read, 3), record_call(10, 15, 7, SYS_write, 3, 1) },
		  { { CALL_DONE, 7, SYS_write, 10, 5, 1 } }, false },
		{ "a pause does not hide the duration",
		  { record_late_enter(10, 10, 7, SYS_read, 3), record_gap(12),
		    record_call(10, 15, 7, SYS_read, 3, 100) },
		  { { CALL_DONE, 7, SYS_read, 10, 5, 100 } }, false },
		{ "restarted as itself",
		  { record_call(10, 15, 7, SYS_read, 3, -512),
		    record_call(20, 25, 7, SYS_read, 3, 100) },
		  { { CALL_DONE, 7, SYS_read, 10, 15, 100 } }, false },
		{ "restarted, and reported when it blocked again",
		  { record_late_enter(10, 10, 7, SYS_nanosleep, 3),
		    record_call(10, 15, 7, SYS_nanosleep, 3, -516),
		    record_late_enter(21, 20, 7, SYS_restart_syscall, 3),
		    record_call(20, 25, 7, SYS_restart_syscall, 3, 0) },
		  { { CALL_DONE, 7, SYS_nanosleep, 10, 15, 0 } }, false },
		{ "not restarted",
		  { record_call(10, 15, 7, SYS_read, 3, -512),
		    record_call(20, 25, 7, SYS_rt_sigreturn, 0, -4) },
		  { { CALL_DONE, 7, SYS_read, 10, 5, -512 },
		    { CALL_DONE, 7, SYS_rt_sigreturn, 20, 5, -4 } }, false },
		{ "its thread exited in the call",
		  { record_late_enter(10, 10, 7, SYS_exit_group, 0), record_task_exit(12, 7) },
		  { { CALL_ENDED, 7, SYS_exit_group, 10, 2, 0 } }, false },
	};

	/* clang-format on */
	for (size_t i = 0; i < sizeof(stories) / sizeof(stories[0]); i++)
		check_story(&stories[i]);
}
END_TEST

/* The in-flight record of a call that seccomp holds before sys_enter. */
static struct record unentered(uint64_t time_ns, uint32_t tid, uint32_t nr)
{
	struct record record = record_inflight(time_ns, tid, nr, 3);

	record.inflight.unentered = true;
	return record;
}

/* Thread 7 made a call and sleeps since 10, outside of a call; the source finds it in mkdir. */
static struct pair_bench *held_before_its_enter(void)
{
	struct pair_bench *bench = pair_bench_new();
	struct record out = record_switch_out(10, 7, false);
	uint32_t tid = 0;

	pair_bench_feed(bench, record_enter(1, 7, SYS_getpid, 0));
	pair_bench_feed(bench, record_exit(2, 7, SYS_getpid, 7));
	pairing_switch_out(&bench->pairing, &out, 0);
	ck_assert_uint_eq(sleepers_take(&bench->pairing.sleepers, bench->tasks, 100 * MS, &tid, 1),
			  0);
	ck_assert_uint_eq(sleepers_take(&bench->pairing.sleepers, bench->tasks, 300 * MS, &tid, 1),
			  1);
	ck_assert_uint_eq(tid, 7);
	ck_assert_uint_eq(sleepers_take(&bench->pairing.sleepers, bench->tasks, 600 * MS, &tid, 1),
			  0);
	pair_bench_feed(bench, unentered(300 * MS, 7, SYS_mkdir));
	return bench;
}

START_TEST(a_call_held_before_its_enter_is_one_call)
{
	const struct record ends[][3] = {
		{ record_exit(400 * MS, 7, SYS_mkdir, -1) },
		{ record_enter(400 * MS, 7, SYS_mkdir, 3),
		  record_exit(401 * MS, 7, SYS_mkdir, -1) },
		{ record_call(400 * MS, 401 * MS, 7, SYS_mkdir, 3, -1) },
		{ record_late_enter(400 * MS, 400 * MS, 7, SYS_mkdir, 5),
		  record_call(400 * MS, 401 * MS, 7, SYS_mkdir, 5, -1) },
	};

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		struct pair_bench *bench = held_before_its_enter();
		struct record in = record_switch_in(399 * MS, 7);
		struct call call;

		pairing_call_at(&bench->pairing, tasks_find(bench->tasks, 7), 310 * MS, &call);
		ck_assert_uint_eq(call.enter_ns, 10);
		ck_assert_uint_eq(call.blocked_ns, 310 * MS - 10);
		pairing_switch_in(&bench->pairing, &in);
		for (size_t step = 0; step < 3 && ends[i][step].time_ns; step++)
			pair_bench_feed(bench, ends[i][step]);
		ck_assert_msg(bench->done.count == 2, "%zu: %zu calls", i, bench->done.count);
		call = bench->done.calls[1];
		ck_assert_uint_eq(call.nr, SYS_mkdir);
		ck_assert_uint_eq(call.enter_ns, 10);
		ck_assert_int_eq(call.dur_ns, -1);
		ck_assert_int_eq(call.ret, -1);
		ck_assert_uint_eq(call.blocked_ns, 399 * MS - 10);
		ck_assert_uint_eq(call.flags, CALL_SEEDED | CALL_UNENTERED);
		ck_assert_uint_eq(bench->pairing.in_flight, 0);
		pair_bench_free(bench);
	}
}
END_TEST

START_TEST(a_thread_that_runs_again_is_not_held)
{
	const struct record then[][3] = {
		{ record_switch_in(20, 7) },
		{ record_enter(20, 7, SYS_read, 3), record_exit(30, 7, SYS_read, 1) },
		{ record_call(20, 30, 7, SYS_read, 3, 1) },
		{ record_exit(20, 7, SYS_read, 1) },
		{ record_task_exit(20, 7) },
	};

	for (size_t i = 0; i < sizeof(then) / sizeof(then[0]); i++) {
		struct pair_bench *bench = pair_bench_new();
		struct record out = record_switch_out(10, 7, false);
		uint32_t tid;

		pair_bench_feed(bench, record_enter(1, 7, SYS_getpid, 0));
		pair_bench_feed(bench, record_exit(2, 7, SYS_getpid, 7));
		pairing_switch_out(&bench->pairing, &out, 0);
		for (size_t step = 0; step < 3 && then[i][step].time_ns; step++) {
			if (then[i][step].kind == RECORD_SWITCH_IN)
				pairing_switch_in(&bench->pairing, &then[i][step]);
			else
				pair_bench_feed(bench, then[i][step]);
		}
		ck_assert_uint_eq(
			sleepers_take(&bench->pairing.sleepers, bench->tasks, 900 * MS, &tid, 1),
			0);
		if (then[i][0].kind != RECORD_TASK_EXIT)
			pair_bench_feed(bench, unentered(900 * MS, 7, SYS_mkdir));
		ck_assert_msg(!bench->pairing.in_flight, "%zu", i);
		pair_bench_free(bench);
	}
}
END_TEST

START_TEST(kernel_threads_are_not_looked_up)
{
	struct pair_bench *bench = pair_bench_new();
	struct record task = record_task(1, 2, 2, "kthreadd"), out;
	uint32_t tid;

	task.task.kernel = true;
	pair_bench_feed(bench, task);
	pair_bench_feed(bench, record_fork(2, 2, 9, 9));
	for (uint32_t thread = 2; thread <= 9; thread += 7) {
		out = record_switch_out(10, thread, false);
		pairing_switch_out(&bench->pairing, &out, 0);
	}
	ck_assert_uint_eq(bench->pairing.sleepers.count, 0);
	/* The child executes a program, as modprobe does. */
	pair_bench_feed(bench, of_pid(record_comm(20, 9, "modprobe", true), 9));
	out = record_switch_out(30, 9, false);
	pairing_switch_out(&bench->pairing, &out, 0);
	ck_assert_uint_eq(sleepers_take(&bench->pairing.sleepers, bench->tasks, 900 * MS, &tid, 1),
			  1);
	pair_bench_free(bench);
}
END_TEST

Suite *suite_pairing(void);
Suite *suite_pairing(void)
{
	Suite *suite = suite_create("pairing");
	TCase *tests = tcase_create("pairing");

	tcase_set_timeout(tests, 20);
	tcase_add_test(tests, every_sequence_has_its_outcome);
	tcase_add_test(tests, whole_calls_are_exact);
	tcase_add_test(tests, flags_and_arguments_are_stored);
	tcase_add_test(tests, a_held_call_ends_after_100_ms);
	tcase_add_test(tests, an_enter_resumes_the_call_or_begins_another);
	tcase_add_test(tests, silent_calls_are_not_counted);
	tcase_add_test(tests, execve_has_the_new_name);
	tcase_add_test(tests, execve_by_another_thread_returns_as_the_leader);
	tcase_add_test(tests, calls_that_are_no_longer_collected_are_forgotten);
	tcase_add_test(tests, orphans_from_before_collection_are_counted);
	tcase_add_test(tests, after_a_loss_a_wait_does_not_give_the_duration);
	tcase_add_test(tests, a_call_held_before_its_enter_is_one_call);
	tcase_add_test(tests, a_thread_that_runs_again_is_not_held);
	tcase_add_test(tests, kernel_threads_are_not_looked_up);
	suite_add_tcase(suite, tests);
	return suite;
}
