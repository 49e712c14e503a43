/* The second half of pairing: switch-outs, wakings and switch-ins of threads in a call. */
#include "engine/model/pairing.h"
#include "engine/model/waits.h"

#include "tests/unit/records.h"
#include "tests/unit/runner.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>

/* Thread 7 enters read at 100. */
static struct pair_bench *in_a_read(void)
{
	struct pair_bench *bench = pair_bench_new();

	pair_bench_feed(bench, record_enter(100, 7, SYS_read, 3));
	return bench;
}

static void out(struct pair_bench *bench, uint64_t time_ns, bool preempted, uint32_t stack_id)
{
	struct record record = record_switch_out(time_ns, 7, preempted);

	pairing_switch_out(&bench->pairing, &record, stack_id);
}

static void in(struct pair_bench *bench, uint64_t time_ns)
{
	struct record record = record_switch_in(time_ns, 7);

	pairing_switch_in(&bench->pairing, &record);
}

static void wake(struct pair_bench *bench, uint64_t time_ns, uint32_t waker, uint32_t stack_id)
{
	struct record record = record_waking(time_ns, waker, 7);

	pairing_waking(&bench->pairing, &record, stack_id);
}

static const struct call *finish(struct pair_bench *bench, uint64_t time_ns, int64_t ret)
{
	pair_bench_feed(bench, record_exit(time_ns, 7, SYS_read, ret));
	ck_assert_uint_eq(bench->done.count, 1);
	return &bench->done.calls[0];
}

START_TEST(without_wakings_the_whole_wait_is_blocked)
{
	struct pair_bench *bench = in_a_read();
	const struct call *call;

	out(bench, 110, false, 5);
	in(bench, 150);
	call = finish(bench, 160, 1);
	ck_assert_uint_eq(call->blocked_ns, 40);
	ck_assert_uint_eq(call->runnable_ns, 0);
	ck_assert_uint_eq(call->stack_id, 5);
	ck_assert_int_eq(call->waker_kind, WAKER_NONE);
	ck_assert_int_eq(call->dur_ns, 60);
	pair_bench_free(bench);
}
END_TEST

START_TEST(a_waking_divides_blocked_from_runnable)
{
	struct pair_bench *bench = in_a_read();
	const struct call *call;

	out(bench, 110, false, 5);
	wake(bench, 130, 42, 6);
	/* A second waking finds the thread runnable: the first one is the waker. */
	wake(bench, 135, 43, 7);
	in(bench, 150);
	call = finish(bench, 160, 1);
	ck_assert_uint_eq(call->blocked_ns, 20);
	ck_assert_uint_eq(call->runnable_ns, 20);
	ck_assert_int_eq(call->waker_kind, WAKER_THREAD);
	ck_assert_uint_eq(call->waker_tid, 42);
	ck_assert_uint_eq(call->waker_stack_id, 6);
	pair_bench_free(bench);
}
END_TEST

START_TEST(a_preempted_thread_is_runnable)
{
	struct pair_bench *bench = in_a_read();
	const struct call *call;

	out(bench, 110, true, 5);
	wake(bench, 120, 42, 6); /* the thread is not blocked */
	in(bench, 150);
	call = finish(bench, 160, 1);
	ck_assert_uint_eq(call->blocked_ns, 0);
	ck_assert_uint_eq(call->runnable_ns, 40);
	ck_assert_int_eq(call->waker_kind, WAKER_NONE);
	ck_assert_uint_eq(call->stack_id, 5);
	pair_bench_free(bench);
}
END_TEST

START_TEST(the_reason_of_a_switch_may_come_later)
{
	static const struct {
		const char *name;
		bool preempted, longest;
		uint64_t blocked_ns, runnable_ns;
		uint32_t stack_id;
	} cases[] = {
		{ "preempted", true, false, 0, 40, 5 },
		{ "blocked", false, false, 40, 0, 5 },
		{ "preempted, after a wait", true, true, 10, 40, 4 },
		{ "blocked, after a wait", false, true, 50, 0, 5 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pair_bench *bench = in_a_read();
		struct record first = record_switch_out(1110, 7, false), second;
		const struct call *call;

		if (cases[i].longest) {
			out(bench, 1020, false, 4);
			in(bench, 1030);
		}
		first.switch_out.unsure = true;
		pairing_switch_out(&bench->pairing, &first, 5);
		second = record_switch_out(1112, 7, cases[i].preempted);
		pairing_switch_out(&bench->pairing, &second, 0);
		/* A third record changes nothing. */
		second = record_switch_out(1113, 7, !cases[i].preempted);
		pairing_switch_out(&bench->pairing, &second, 0);
		in(bench, 1150);
		call = finish(bench, 1160, 1);
		ck_assert_msg(call->blocked_ns == cases[i].blocked_ns, "%s", cases[i].name);
		ck_assert_msg(call->runnable_ns == cases[i].runnable_ns, "%s", cases[i].name);
		ck_assert_msg(call->stack_id == cases[i].stack_id, "%s", cases[i].name);
		pair_bench_free(bench);
	}
}
END_TEST

START_TEST(the_longest_wait_gives_the_stack_and_the_last_one_the_waker)
{
	struct pair_bench *bench = in_a_read();
	const struct call *running = &tasks_find(bench->tasks, 7)->call;
	const struct call *call;

	out(bench, 110, false, 5);
	wake(bench, 115, 41, 1);
	in(bench, 120);
	ck_assert_uint_eq(running->stack_id, 5);
	out(bench, 130, false, 6);
	/* During a wait, the call shows the stack of this wait. */
	ck_assert_uint_eq(running->stack_id, 6);
	ck_assert_int_eq(running->waker_kind, WAKER_NONE);
	wake(bench, 180, 42, 2);
	in(bench, 190);
	out(bench, 200, false, 7);
	ck_assert_uint_eq(running->stack_id, 7);
	wake(bench, 205, 43, 3);
	in(bench, 210);
	ck_assert_uint_eq(running->stack_id, 6);
	/* The thread is off the CPU for longer, but preempted and not blocked. */
	out(bench, 300, true, 8);
	in(bench, 900);
	call = finish(bench, 1000, 1);
	ck_assert_uint_eq(call->stack_id, 6);
	ck_assert_uint_eq(call->waker_tid, 43);
	ck_assert_uint_eq(call->waker_stack_id, 3);
	ck_assert_uint_eq(call->blocked_ns, 5 + 50 + 5);
	ck_assert_uint_eq(call->runnable_ns, 5 + 10 + 5 + 600);
	pair_bench_free(bench);
}
END_TEST

START_TEST(a_wait_without_a_stack_keeps_the_earlier_stack)
{
	struct pair_bench *bench = in_a_read();

	out(bench, 110, false, 5);
	in(bench, 120);
	out(bench, 130, false, 0);
	in(bench, 900);
	ck_assert_uint_eq(finish(bench, 1000, 1)->stack_id, 5);
	pair_bench_free(bench);
}
END_TEST

START_TEST(an_exit_ends_a_wait_whose_switch_in_was_lost)
{
	struct pair_bench *bench = in_a_read();
	const struct call *call;

	out(bench, 110, false, 5);
	call = finish(bench, 160, 1);
	ck_assert_uint_eq(call->blocked_ns, 50);
	ck_assert_uint_eq(call->stack_id, 5);
	pair_bench_free(bench);
}
END_TEST

START_TEST(a_wait_whose_end_was_lost_is_not_counted)
{
	struct pair_bench *bench = in_a_read();

	struct record reported = record_lost(120, 0, 1);

	out(bench, 110, false, 5);
	pair_bench_feed(bench, reported);
	out(bench, 500150, false, 6);
	in(bench, 500155);
	ck_assert_uint_eq(finish(bench, 500160, 1)->blocked_ns, 5);
	ck_assert(!call_waits_are_known(&bench->done.calls[0]));
	pair_bench_free(bench);
}
END_TEST

/* Same as out(), but the stack has user registers. */
static void out_deep(struct pair_bench *bench, uint64_t time_ns, uint32_t stack_id)
{
	static const uint64_t regs[2];
	struct record record = record_switch_out(time_ns, 7, false);

	record.switch_out.stack.user_regs = regs;
	ck_assert(pairing_wants_stack(&bench->pairing, &record));
	pairing_switch_out(&bench->pairing, &record, stack_id);
}

START_TEST(a_duplicate_switch_counts_once)
{
	struct pair_bench *bench = in_a_read();
	struct record again = record_switch_out(112, 7, false);
	const struct call *call;

	out(bench, 110, false, 5);
	ck_assert(!pairing_wants_stack(&bench->pairing, &again));
	pairing_switch_out(&bench->pairing, &again, 0);
	out_deep(bench, 113, 6);
	out(bench, 114, false, 7);
	in(bench, 150);
	call = finish(bench, 160, 1);
	ck_assert_uint_eq(call->blocked_ns, 40);
	ck_assert_uint_eq(call->stack_id, 6);
	pair_bench_free(bench);
}
END_TEST

START_TEST(a_duplicate_wakeup_has_the_better_stack)
{
	static const uint64_t regs[2];
	struct record again = record_waking(131, 42, 7);
	struct pair_bench *bench = in_a_read();
	const struct call *call;

	again.waking.stack.user_regs = regs;
	out(bench, 110, false, 5);
	wake(bench, 130, 42, 6);
	ck_assert(pairing_wants_stack(&bench->pairing, &again));
	pairing_waking(&bench->pairing, &again, 8);
	/* A waking by another thread comes too late. */
	again.tid = 43;
	ck_assert(!pairing_wants_stack(&bench->pairing, &again));
	pairing_waking(&bench->pairing, &again, 9);
	in(bench, 150);
	call = finish(bench, 160, 1);
	ck_assert_uint_eq(call->waker_tid, 42);
	ck_assert_uint_eq(call->waker_stack_id, 8);
	ck_assert_uint_eq(call->blocked_ns, 20);
	ck_assert_uint_eq(call->runnable_ns, 20);
	pair_bench_free(bench);
}
END_TEST

START_TEST(a_thread_blocked_at_the_start_has_a_stack)
{
	static const uint64_t ips[1];
	static const struct record_stack stack = { .ips = ips, .count = 1 };
	struct record seed = { .kind = RECORD_INFLIGHT,
			       .time_ns = 100,
			       .pid = 7,
			       .tid = 7,
			       .inflight = { .nr = SYS_read, .stack = &stack } };
	struct pair_bench *bench = pair_bench_new();
	const struct call *call;

	ck_assert(!pairing_wants_stack(&bench->pairing, &seed));
	pair_bench_feed(bench, seed);
	ck_assert(pairing_wants_stack(&bench->pairing, &seed));
	pairing_inflight_wait(&bench->pairing, &seed, 5);
	/* At the second scan, the call already has a stack. */
	seed.time_ns = 120;
	ck_assert(!pairing_wants_stack(&bench->pairing, &seed));
	pairing_inflight_wait(&bench->pairing, &seed, 6);
	in(bench, 150);
	call = finish(bench, 160, 1);
	ck_assert_uint_eq(call->stack_id, 5);
	ck_assert_uint_eq(call->flags, CALL_SEEDED | CALL_STACK_FOUND);
	ck_assert_uint_eq(call->blocked_ns, 50);
	ck_assert_int_eq(call->dur_ns, -1);
	/* The stack of the next call comes from events. */
	pair_bench_feed(bench, record_enter(170, 7, SYS_read, 3));
	out(bench, 180, false, 5);
	in(bench, 190);
	ck_assert_uint_eq(tasks_find(bench->tasks, 7)->call.stack_id, 5);
	ck_assert_uint_eq(tasks_find(bench->tasks, 7)->call.flags, 0);
	pair_bench_free(bench);
}
END_TEST

START_TEST(a_process_in_focus_gets_a_better_stack_later)
{
	static const uint64_t ips[1], regs[2];
	static const struct record_stack plain = { .ips = ips, .count = 1 };
	static const struct record_stack deep = { .ips = ips, .count = 1, .user_regs = regs };
	struct record seed = { .kind = RECORD_INFLIGHT,
			       .time_ns = 120,
			       .pid = 7,
			       .tid = 7,
			       .inflight = { .nr = SYS_read, .args = { 3 } } };
	struct pair_bench *bench = pair_bench_new();
	struct record exact = record_switch_out(200, 7, false);

	pair_bench_feed(bench, record_enter(100, 7, SYS_read, 3));
	out(bench, 110, false, 5);
	/* Not wanted: a stack as good as that of the switch-out, or a stack of another call. */
	seed.inflight.stack = &plain;
	ck_assert(!pairing_wants_stack(&bench->pairing, &seed));
	seed.inflight.stack = &deep;
	seed.inflight.args[0] = 4;
	ck_assert(!pairing_wants_stack(&bench->pairing, &seed));
	seed.inflight.args[0] = 3;
	ck_assert(pairing_wants_stack(&bench->pairing, &seed));
	pairing_inflight_wait(&bench->pairing, &seed, 6);
	ck_assert_uint_eq(tasks_find(bench->tasks, 7)->call.stack_id, 6);
	ck_assert_uint_eq(tasks_find(bench->tasks, 7)->call.flags, CALL_STACK_FOUND);
	/* The registers of the switch itself are the best. */
	in(bench, 190);
	exact.switch_out.stack = deep;
	pairing_switch_out(&bench->pairing, &exact, 7);
	ck_assert(!pairing_wants_stack(&bench->pairing, &seed));
	ck_assert_uint_eq(tasks_find(bench->tasks, 7)->call.stack_id, 7);
	ck_assert_uint_eq(tasks_find(bench->tasks, 7)->call.flags, 0);
	pair_bench_free(bench);
}
END_TEST

START_TEST(waits_outside_a_call_are_ignored)
{
	struct pair_bench *bench = pair_bench_new();
	struct record record = record_switch_out(1, 7, false);

	/* The thread is initially unknown, then known but not in a call. */
	ck_assert(!pairing_wants_stack(&bench->pairing, &record));
	out(bench, 1, false, 5);
	ck_assert_ptr_null(tasks_find(bench->tasks, 7));
	pair_bench_feed(bench, record_enter(2, 7, SYS_getpid, 0));
	pair_bench_feed(bench, record_exit(3, 7, SYS_getpid, 7));
	ck_assert(!pairing_wants_stack(&bench->pairing, &record));
	out(bench, 10, false, 5);
	wake(bench, 20, 42, 1);
	pair_bench_feed(bench, record_enter(100, 7, SYS_read, 3));
	ck_assert(pairing_wants_stack(&bench->pairing, &record));
	in(bench, 150);
	bench->done.count = 0;
	ck_assert_uint_eq(finish(bench, 160, 1)->blocked_ns, 0);
	ck_assert_uint_eq(bench->done.calls[0].stack_id, 0);
	pair_bench_free(bench);
}
END_TEST

START_TEST(a_wakers_stack_is_wanted_while_a_thread_waits)
{
	struct pair_bench *bench = in_a_read();
	struct record record = record_waking(120, 42, 7);

	ck_assert(!pairing_wants_stack(&bench->pairing, &record));
	out(bench, 110, false, 5);
	ck_assert(pairing_wants_stack(&bench->pairing, &record));
	wake(bench, 120, 42, 6);
	ck_assert(!pairing_wants_stack(&bench->pairing, &record));
	pair_bench_free(bench);
}
END_TEST

START_TEST(one_call_inherits_nothing_from_another)
{
	struct pair_bench *bench = in_a_read();
	const struct call *call;

	out(bench, 110, false, 5);
	wake(bench, 120, 42, 6);
	in(bench, 130);
	finish(bench, 140, 1);
	pair_bench_feed(bench, record_enter(200, 7, SYS_read, 3));
	pair_bench_feed(bench, record_exit(210, 7, SYS_read, 3));
	call = &bench->done.calls[1];
	ck_assert_uint_eq(call->blocked_ns, 0);
	ck_assert_uint_eq(call->runnable_ns, 0);
	ck_assert_uint_eq(call->stack_id, 0);
	ck_assert_uint_eq(call->waker_tid, 0);
	ck_assert_uint_eq(call->waker_stack_id, 0);
	ck_assert_int_eq(call->waker_kind, WAKER_NONE);
	pair_bench_free(bench);
}
END_TEST

START_TEST(time_between_two_attempts_is_not_a_wait)
{
	struct pair_bench *bench = in_a_read();
	const struct call *call;

	out(bench, 110, false, 5);
	in(bench, 120);
	pair_bench_feed(bench, record_exit(130, 7, SYS_read, -512));
	out(bench, 131, false, 9);
	in(bench, 500);
	pair_bench_feed(bench, record_enter(510, 7, SYS_read, 3));
	out(bench, 520, false, 6);
	in(bench, 525);
	call = finish(bench, 530, 1);
	ck_assert_int_eq(call->dur_ns, 430);
	ck_assert_uint_eq(call->blocked_ns, 15);
	ck_assert_uint_eq(call->stack_id, 5);
	pair_bench_free(bench);
}
END_TEST

START_TEST(a_return_for_a_restart_ends_a_wait_too)
{
	struct pair_bench *bench = in_a_read();

	out(bench, 110, false, 5);
	pair_bench_feed(bench, record_exit(130, 7, SYS_read, -512));
	pair_bench_feed(bench, record_enter(140, 7, SYS_read, 3));
	ck_assert_uint_eq(finish(bench, 150, 1)->blocked_ns, 20);
	pair_bench_free(bench);
}
END_TEST

START_TEST(the_kind_of_waker_is_determined)
{
	static const struct {
		const char *name;
		uint32_t nr;
		int64_t ret;
		uint32_t waker;
		bool has_state, in_interrupt;
		enum waker_kind kind;
		uint32_t tid;
	} cases[] = {
		{ "a thread", SYS_read, 1, 42, true, false, WAKER_THREAD, 42 },
		{ "probably a thread", SYS_read, 1, 42, false, false, WAKER_THREAD, 42 },
		{ "an interrupt over a thread", SYS_read, 1, 42, true, true, WAKER_INTERRUPT, 0 },
		{ "an idle CPU", SYS_read, 1, 0, false, false, WAKER_INTERRUPT, 0 },
		{ "an interrupt over the thread itself", SYS_read, 1, 7, false, false,
		  WAKER_INTERRUPT, 0 },
		{ "a sleep's timer", SYS_nanosleep, 0, 0, true, true, WAKER_TIMER, 0 },
		{ "a sleep that was cut short", SYS_nanosleep, -EINTR, 0, true, true,
		  WAKER_INTERRUPT, 0 },
		{ "poll timeout", SYS_poll, 0, 0, true, true, WAKER_TIMER, 0 },
		{ "a packet for poll", SYS_poll, 1, 0, true, true, WAKER_INTERRUPT, 0 },
		{ "futex timeout", SYS_futex, -ETIMEDOUT, 0, true, true, WAKER_TIMER, 0 },
		{ "a thread at the time of the timeout", SYS_futex, -ETIMEDOUT, 42, true, false,
		  WAKER_THREAD, 42 },
		{ "sigtimedwait timeout", SYS_rt_sigtimedwait, -EAGAIN, 0, true, true, WAKER_TIMER,
		  0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pair_bench *bench = pair_bench_new();
		struct record waking = record_waking(120, cases[i].waker, 7);
		const struct call *call = &bench->done.calls[0];

		pair_bench_feed(bench, record_enter(100, 7, cases[i].nr, 0));
		out(bench, 110, false, 5);
		waking.waking.has_interrupt_state = cases[i].has_state;
		waking.waking.in_interrupt = cases[i].in_interrupt;
		pairing_waking(&bench->pairing, &waking, 8);
		in(bench, 130);
		pair_bench_feed(bench, record_exit(140, 7, cases[i].nr, cases[i].ret));
		ck_assert_msg(call->waker_kind == cases[i].kind, "%s: kind %d", cases[i].name,
			      call->waker_kind);
		ck_assert_msg(call->waker_tid == cases[i].tid, "%s: tid %u", cases[i].name,
			      call->waker_tid);
		pair_bench_free(bench);
	}
}
END_TEST

START_TEST(a_call_in_flight_counts_up_to_now)
{
	struct pair_bench *bench = in_a_read();
	const struct task *task = tasks_find(bench->tasks, 7);
	struct call call;

	tasks_call_at(task, 105, &call);
	ck_assert_int_eq(call.dur_ns, 5);
	ck_assert_uint_eq(call.blocked_ns, 0);
	out(bench, 110, false, 5);
	tasks_call_at(task, 150, &call);
	ck_assert_uint_eq(call.blocked_ns, 40);
	ck_assert_uint_eq(call.stack_id, 5);
	wake(bench, 160, 42, 0);
	tasks_call_at(task, 175, &call);
	ck_assert_uint_eq(call.blocked_ns, 50);
	ck_assert_uint_eq(call.runnable_ns, 15);
	in(bench, 180);
	tasks_call_at(task, 200, &call);
	ck_assert_uint_eq(call.blocked_ns, 50);
	ck_assert_uint_eq(call.runnable_ns, 20);
	ck_assert_int_eq(call.dur_ns, 100);
	/* If the clock was read before the enter, the duration is 0, never negative. */
	tasks_call_at(task, 50, &call);
	ck_assert_int_eq(call.dur_ns, 0);
	pair_bench_free(bench);
}
END_TEST

/* Add a read of `fd` whose wait has no stack because of the limit. */
static const struct call *rationed_wait(struct pair_bench *bench, uint64_t time_ns, uint64_t fd,
					uint32_t waker)
{
	struct record left = record_switch_out(time_ns + 10, 7, false);
	struct record woken = record_waking(time_ns + 20, waker, 7);

	left.switch_out.stack_limited = woken.waking.stack_limited = true;
	pair_bench_feed(bench, record_enter(time_ns, 7, SYS_read, fd));
	pairing_switch_out(&bench->pairing, &left, 0);
	pairing_waking(&bench->pairing, &woken, 0);
	in(bench, time_ns + 30);
	pair_bench_feed(bench, record_exit(time_ns + 40, 7, SYS_read, 1));
	return &bench->done.calls[bench->done.count - 1];
}

START_TEST(a_limited_wait_shows_an_earlier_stack)
{
	struct pair_bench *bench = in_a_read();
	const struct call *call;

	out(bench, 110, false, 5);
	wake(bench, 120, 9, 6);
	in(bench, 130);
	call = finish(bench, 160, 1);
	ck_assert(!(call->flags & (CALL_STACK_EARLIER | CALL_WAKER_STACK_EARLIER)));
	call = rationed_wait(bench, 1000000, 3, 9);
	ck_assert_uint_eq(call->stack_id, 5);
	ck_assert_uint_eq(call->waker_stack_id, 6);
	ck_assert_uint_eq(call->waker_tid, 9);
	ck_assert(call->flags & CALL_STACK_EARLIER);
	ck_assert(call->flags & CALL_WAKER_STACK_EARLIER);
	ck_assert_uint_eq(call->blocked_ns, 10);
	ck_assert_uint_eq(call->runnable_ns, 10);
	/* With another waker, its stack is unknown; with another descriptor, both are unknown. */
	call = rationed_wait(bench, 2000000, 3, 8);
	ck_assert_uint_eq(call->stack_id, 5);
	ck_assert_uint_eq(call->waker_stack_id, 0);
	ck_assert(call->flags & CALL_WAKER_STACK_EARLIER);
	call = rationed_wait(bench, 3000000, 4, 9);
	ck_assert_uint_eq(call->stack_id, 0);
	ck_assert_uint_eq(call->waker_stack_id, 0);
	ck_assert(call->flags & CALL_STACK_EARLIER);
	pair_bench_free(bench);
}
END_TEST

START_TEST(a_stack_from_proc_replaces_an_earlier_one)
{
	struct pair_bench *bench = in_a_read();
	struct record left = record_switch_out(1000010, 7, false);
	struct record seed = { .kind = RECORD_INFLIGHT,
			       .time_ns = 1000020,
			       .pid = 7,
			       .tid = 7,
			       .inflight = { .nr = SYS_read } };
	const struct call *call;

	out(bench, 110, false, 5);
	in(bench, 130);
	finish(bench, 160, 1);
	pair_bench_feed(bench, record_enter(1000000, 7, SYS_read, 3));
	left.switch_out.stack_limited = true;
	pairing_switch_out(&bench->pairing, &left, 0);
	call = &tasks_find(bench->pairing.tasks, 7)->call;
	memcpy(seed.inflight.args, call->args, sizeof(seed.inflight.args));
	ck_assert_uint_eq(call->stack_id, 5);
	ck_assert(call->flags & CALL_STACK_EARLIER);
	pairing_inflight_wait(&bench->pairing, &seed, 8);
	ck_assert_uint_eq(call->stack_id, 8);
	ck_assert(!(call->flags & CALL_STACK_EARLIER));
	pair_bench_free(bench);
}
END_TEST

START_TEST(another_program_has_no_earlier_stacks)
{
	struct pair_bench *bench = in_a_read();
	struct record exec = { .kind = RECORD_COMM,
			       .time_ns = 200,
			       .pid = 7,
			       .tid = 7,
			       .comm = { .comm = "new", .exec = true } };
	const struct call *call;

	out(bench, 110, false, 5);
	in(bench, 130);
	finish(bench, 160, 1);
	pair_bench_feed(bench, exec);
	call = rationed_wait(bench, 1000000, 3, 9);
	ck_assert_uint_eq(call->stack_id, 0);
	ck_assert(call->flags & CALL_STACK_EARLIER);
	pair_bench_free(bench);
}
END_TEST

START_TEST(a_longer_wait_with_a_stack_takes_precedence)
{
	struct pair_bench *bench = in_a_read();
	struct record left = record_switch_out(2000000, 7, false);
	const struct call *call;

	out(bench, 110, false, 5);
	in(bench, 1000110);
	left.switch_out.stack_limited = true;
	pairing_switch_out(&bench->pairing, &left, 0);
	in(bench, 2000100);
	call = finish(bench, 2000200, 1);
	ck_assert_uint_eq(call->stack_id, 5);
	ck_assert(!(call->flags & CALL_STACK_EARLIER));
	pair_bench_free(bench);
}
END_TEST

Suite *suite_waits(void);
Suite *suite_waits(void)
{
	Suite *suite = suite_create("waits");
	TCase *tests = tcase_create("waits");

	tcase_add_test(tests, without_wakings_the_whole_wait_is_blocked);
	tcase_add_test(tests, a_waking_divides_blocked_from_runnable);
	tcase_add_test(tests, a_preempted_thread_is_runnable);
	tcase_add_test(tests, the_reason_of_a_switch_may_come_later);
	tcase_add_test(tests, the_longest_wait_gives_the_stack_and_the_last_one_the_waker);
	tcase_add_test(tests, a_wait_without_a_stack_keeps_the_earlier_stack);
	tcase_add_test(tests, an_exit_ends_a_wait_whose_switch_in_was_lost);
	tcase_add_test(tests, a_duplicate_switch_counts_once);
	tcase_add_test(tests, a_duplicate_wakeup_has_the_better_stack);
	tcase_add_test(tests, a_wait_whose_end_was_lost_is_not_counted);
	tcase_add_test(tests, a_thread_blocked_at_the_start_has_a_stack);
	tcase_add_test(tests, a_process_in_focus_gets_a_better_stack_later);
	tcase_add_test(tests, waits_outside_a_call_are_ignored);
	tcase_add_test(tests, a_wakers_stack_is_wanted_while_a_thread_waits);
	tcase_add_test(tests, one_call_inherits_nothing_from_another);
	tcase_add_test(tests, time_between_two_attempts_is_not_a_wait);
	tcase_add_test(tests, a_return_for_a_restart_ends_a_wait_too);
	tcase_add_test(tests, the_kind_of_waker_is_determined);
	tcase_add_test(tests, a_call_in_flight_counts_up_to_now);
	tcase_add_test(tests, a_limited_wait_shows_an_earlier_stack);
	tcase_add_test(tests, a_stack_from_proc_replaces_an_earlier_one);
	tcase_add_test(tests, another_program_has_no_earlier_stacks);
	tcase_add_test(tests, a_longer_wait_with_a_stack_takes_precedence);
	suite_add_tcase(suite, tests);
	return suite;
}
