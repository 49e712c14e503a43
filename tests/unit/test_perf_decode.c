#include "engine/source/perf/perf_decode.h"

#include "engine/source/perf/perf_open.h"
#include "engine/source/perf/perf_stacks.h"
#include "engine/source/perf/perf_waker_names.h"
#include "tests/unit/runner.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* A record as in a ring, and the records that the decoder emitted. */
struct bench {
	struct perf_decode decode;
	_Alignas(8) unsigned char bytes[4096];
	struct perf_event_header *header;
	struct perf_waker_names waker_names;
	struct record got[16];
	char text[64];
	size_t count;
};

#define OLD_PERIOD PERF_PERIOD_CALLS
#define NEW_PERIOD (PERF_PERIOD_CALLS + 1)

enum { OLD_ENTER = 100, OLD_EXIT, NEW_ENTER, NEW_EXIT, SIDE, SWITCHES, WAKINGS, OTHERS, MOVES };

static void add_id(struct bench *bench, uint64_t id, enum perf_kind kind, uint8_t period,
		   uint32_t root)
{
	struct perf_id known = { .id = id, .kind = (uint8_t)kind, .period = period, .root = root };

	perf_ids_add(&bench->decode.ids, &known);
}

static void bench_init(struct bench *bench)
{
	struct perf_decode *decode = &bench->decode;

	memset(bench, 0, sizeof(*bench));
	bench->header = (struct perf_event_header *)(void *)bench->bytes;
	ck_assert(!perf_decode_init(decode));
	decode->waker_names = &bench->waker_names;
	/* These offsets differ from those of current kernels on purpose. */
	decode->enter_nr = (struct tracepoint_field){ 56, 8, 1, true };
	decode->enter_args = (struct tracepoint_field){ 8, 8, 6, false };
	decode->exit_nr = (struct tracepoint_field){ 16, 8, 1, true };
	decode->exit_ret = (struct tracepoint_field){ 8, 8, 1, true };
	decode->switch_state = (struct tracepoint_field){ 8, 8, 1, true };
	decode->switch_next = (struct tracepoint_field){ 16, 4, 1, true };
	decode->enter_bytes = 64;
	decode->exit_bytes = 24;
	decode->switch_bytes = 20;
	decode->types[PERF_KIND_SWITCH] = PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW;
	decode->next_from_switch = true;
	decode->periods[OLD_PERIOD] = (struct perf_period){ 0, UINT64_MAX };
	add_id(bench, OLD_ENTER, PERF_KIND_ENTER, OLD_PERIOD, 0);
	add_id(bench, OLD_EXIT, PERF_KIND_EXIT, OLD_PERIOD, 0);
	add_id(bench, NEW_ENTER, PERF_KIND_ENTER, NEW_PERIOD, 0);
	add_id(bench, NEW_EXIT, PERF_KIND_EXIT, NEW_PERIOD, 0);
	add_id(bench, SIDE, PERF_KIND_SIDEBAND, PERF_PERIOD_SIDEBAND, 0);
	add_id(bench, SWITCHES, PERF_KIND_SWITCH, PERF_PERIOD_WAITS, 0);
	add_id(bench, WAKINGS, PERF_KIND_WAKING, PERF_PERIOD_WAITS, 0);
	decode->waking_tid = (struct tracepoint_field){ 12, 4, 1, true };
	decode->waking_flags = (struct tracepoint_field){ 2, 1, 1, false };
	decode->waking_bytes = 16;
	decode->types[PERF_KIND_WAKING] = PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW;
}

static void take(void *ctx, const struct record *record)
{
	struct bench *bench = ctx;

	ck_assert_uint_lt(bench->count, 16);
	bench->got[bench->count++] = *record;
	if (record->kind == RECORD_COMM)
		snprintf(bench->text, sizeof(bench->text), "%s", record->comm.comm);
}

static void put(struct bench *bench, const void *bytes, size_t len)
{
	memcpy(bench->bytes + bench->header->size, bytes, len);
	bench->header->size = (uint16_t)(bench->header->size + len);
}

static void put_u64(struct bench *bench, uint64_t value)
{
	put(bench, &value, sizeof(value));
}

static void put_pair(struct bench *bench, uint32_t a, uint32_t b)
{
	uint32_t pair[2] = { a, b };

	put(bench, pair, sizeof(pair));
}

static void begin(struct bench *bench, uint32_t type, uint16_t misc)
{
	bench->header->type = type;
	bench->header->misc = misc;
	bench->header->size = sizeof(*bench->header);
}

static void begin_sample(struct bench *bench, uint64_t id, uint32_t tid, uint64_t time_ns)
{
	begin(bench, PERF_RECORD_SAMPLE, 0);
	put_u64(bench, id);
	put_pair(bench, tid / 10 * 10, tid);
	put_u64(bench, time_ns);
	put_pair(bench, 9, 0);
}

/* Return the number of emitted records. */
static size_t decode(struct bench *bench)
{
	size_t before = bench->count;

	perf_decode(&bench->decode, bench->header, 3, take, bench);
	return bench->count - before;
}

static size_t decode_call(struct bench *bench, uint64_t id, uint32_t tid, uint64_t time_ns,
			  uint64_t nr)
{
	bool enter = id != OLD_EXIT && id != NEW_EXIT;
	uint32_t raw_bytes = enter ? 68 : 28;
	uint64_t raw[9] = { 0 };

	for (uint64_t i = 0; i < 8; i++)
		raw[i] = i * 11;
	raw[enter ? 7 : 2] = nr;
	begin_sample(bench, id, tid, time_ns);
	put(bench, &raw_bytes, sizeof(raw_bytes));
	put(bench, raw, raw_bytes);
	return decode(bench);
}

static void end_side(struct bench *bench, uint32_t tid, uint64_t time_ns)
{
	put_pair(bench, tid / 10 * 10, tid);
	put_u64(bench, time_ns);
	put_pair(bench, 9, 0);
	put_u64(bench, SIDE);
}

static size_t decode_fork(struct bench *bench, uint32_t parent, uint32_t child, uint64_t time_ns)
{
	begin(bench, PERF_RECORD_FORK, 0);
	put_pair(bench, child / 10 * 10, parent / 10 * 10);
	put_pair(bench, child, parent);
	put_u64(bench, time_ns);
	end_side(bench, parent, time_ns);
	return decode(bench);
}

START_TEST(enters_and_exits_are_decoded)
{
	struct bench bench;
	const struct record *record = bench.got;

	bench_init(&bench);
	ck_assert_uint_eq(decode_call(&bench, OLD_ENTER, 42, 1000, 202), 1);
	ck_assert_int_eq(record->kind, RECORD_ENTER);
	ck_assert_uint_eq(record->time_ns, 1000);
	ck_assert_uint_eq(record->pid, 40);
	ck_assert_uint_eq(record->tid, 42);
	ck_assert_uint_eq(record->cpu, 3);
	ck_assert_uint_eq(record->enter.nr, 202);
	for (uint64_t i = 0; i < SYSCALL_ARGS; i++)
		ck_assert_uint_eq(record->enter.args[i], (i + 1) * 11);
	ck_assert_uint_eq(decode_call(&bench, OLD_EXIT, 42, 1010, 202), 1);
	record++;
	ck_assert_int_eq(record->kind, RECORD_EXIT);
	ck_assert_uint_eq(record->exit.nr, 202);
	ck_assert_int_eq(record->exit.ret, 11);
	/* rt_sigreturn has no arguments: the registers hold values of the signal handler. */
	ck_assert_uint_eq(decode_call(&bench, OLD_ENTER, 42, 1020, SYS_rt_sigreturn), 1);
	record++;
	ck_assert_uint_eq(record->enter.args[0], 0);
	perf_decode_release(&bench.decode);
}
END_TEST

START_TEST(cut_samples_are_dropped_and_counted)
{
	struct bench bench;
	uint16_t whole;

	bench_init(&bench);
	decode_call(&bench, OLD_ENTER, 42, 1000, 202);
	whole = bench.header->size;
	for (uint16_t size = sizeof(*bench.header); size < whole; size = (uint16_t)(size + 8)) {
		uint64_t malformed = bench.decode.malformed;

		bench.header->size = size;
		ck_assert_msg(decode(&bench) == 0, "%u bytes", size);
		ck_assert_msg(bench.decode.malformed == malformed + 1, "%u bytes", size);
		ck_assert(size >= 40 || perf_decode_time(&bench.decode, bench.header) == 0);
	}
	perf_decode_release(&bench.decode);
}
END_TEST

/* The layout of this sample is unknown: a wrong time far in the future would block the ring. */
START_TEST(a_sample_of_a_closed_event_comes_first_and_is_dropped)
{
	struct bench bench;

	bench_init(&bench);
	begin_sample(&bench, 987654, 42, 1000);
	put_u64(&bench, UINT64_MAX);
	ck_assert_uint_eq(perf_decode_time(&bench.decode, bench.header), 1000);
	bench.decode.bare_calls = true;
	ck_assert_uint_eq(perf_decode_time(&bench.decode, bench.header), 0);
	ck_assert(decode(&bench) == 0);
	perf_decode_release(&bench.decode);
}
END_TEST

START_TEST(a_call_seen_by_two_sets_is_emitted_once)
{
	struct bench bench;

	bench_init(&bench);
	/* Set 2 was enabled at 1000 and set 1 disabled at 2000. */
	bench.decode.periods[OLD_PERIOD].until_ns = 2000;
	bench.decode.periods[NEW_PERIOD] = (struct perf_period){ 1000, UINT64_MAX };
	bench.decode.dedup.overlap_until_ns = 2000;
	ck_assert_uint_eq(decode_call(&bench, OLD_ENTER, 42, 900, 7), 1);
	ck_assert_uint_eq(decode_call(&bench, OLD_EXIT, 42, 1100, 7), 1);
	ck_assert_uint_eq(decode_call(&bench, NEW_EXIT, 42, 1101, 7), 0);
	/* Set 2 reports first, with a record of another thread in between. */
	ck_assert_uint_eq(decode_call(&bench, NEW_ENTER, 42, 1200, 7), 1);
	ck_assert_uint_eq(decode_call(&bench, NEW_ENTER, 43, 1200, 7), 1);
	ck_assert_uint_eq(decode_call(&bench, OLD_ENTER, 42, 1201, 7), 0);
	ck_assert_uint_eq(decode_call(&bench, OLD_ENTER, 43, 1201, 7), 0);
	/* A record of only one of the sets is emitted. */
	ck_assert_uint_eq(decode_call(&bench, OLD_EXIT, 42, 1300, 7), 1);
	ck_assert_uint_eq(decode_call(&bench, NEW_ENTER, 42, 1400, 7), 1);
	ck_assert_uint_eq(decode_call(&bench, NEW_EXIT, 42, 1999, 7), 1);
	/* The old set repeats the last exit after its own end: that record is dropped. */
	ck_assert_uint_eq(decode_call(&bench, OLD_EXIT, 42, 2001, 7), 0);
	ck_assert_uint_eq(decode_call(&bench, NEW_ENTER, 42, 2002, 7), 1);
	ck_assert_uint_eq(decode_call(&bench, NEW_EXIT, 42, 2003, 7), 1);
	perf_decode_release(&bench.decode);
}
END_TEST

/* Enters are disabled before exits: an exit in between would have no enter, so it is dropped. */
START_TEST(no_call_counts_while_events_are_disabled_and_enabled)
{
	struct bench bench;

	bench_init(&bench);
	bench.decode.stopped = (struct perf_period){ 1000, 2000 };
	ck_assert_uint_eq(decode_call(&bench, OLD_ENTER, 42, 1000, 7), 1);
	ck_assert_uint_eq(decode_call(&bench, OLD_EXIT, 42, 1001, 7), 0);
	ck_assert_uint_eq(decode_call(&bench, OLD_ENTER, 42, 2000, 7), 0);
	ck_assert_uint_eq(decode_call(&bench, OLD_EXIT, 42, 2001, 7), 1);
	/* Forks are emitted: sideband events are never disabled. */
	ck_assert_uint_eq(decode_fork(&bench, 42, 52, 1500), 1);
	perf_decode_release(&bench.decode);
}
END_TEST

START_TEST(an_unknown_event_or_period_emits_nothing)
{
	struct bench bench;

	bench_init(&bench);
	ck_assert_uint_eq(decode_call(&bench, 999, 42, 1000, 7), 0);
	ck_assert_uint_eq(decode_call(&bench, NEW_ENTER, 42, 1000, 7), 0);
	ck_assert_uint_eq(decode_call(&bench, OLD_ENTER, 42, 1000, 7), 1);
	perf_decode_end_period(&bench.decode, OLD_PERIOD);
	ck_assert_uint_eq(decode_call(&bench, OLD_ENTER, 42, 1000, 7), 0);
	ck_assert_uint_eq(bench.decode.malformed, 0);
	perf_decode_release(&bench.decode);
}
END_TEST

START_TEST(a_thread_that_two_events_follow_counts_once)
{
	struct bench bench;

	bench_init(&bench);
	add_id(&bench, 200, PERF_KIND_ENTER, OLD_PERIOD, 50); /* event inherited from thread 50 */
	add_id(&bench, 201, PERF_KIND_ENTER, OLD_PERIOD, 52); /* own event of thread 52 */
	perf_dedup_doubt(&bench.decode.dedup, OLD_PERIOD, 52);
	ck_assert_uint_eq(decode_call(&bench, 200, 52, 1000, 7), 0);
	ck_assert_uint_eq(decode_call(&bench, 201, 52, 1001, 7), 1);
	ck_assert_uint_eq(decode_call(&bench, 200, 50, 1002, 7), 1);
	/* Children of thread 52 inherit both events. */
	ck_assert_uint_eq(decode_fork(&bench, 52, 60, 1100), 1);
	ck_assert_uint_eq(decode_call(&bench, 200, 60, 1200, 7), 0);
	ck_assert_uint_eq(decode_call(&bench, 201, 60, 1201, 7), 1);
	perf_decode_release(&bench.decode);
}
END_TEST

START_TEST(own_tasks_are_never_emitted)
{
	struct bench bench;

	bench_init(&bench);
	task_table_mark(&bench.decode.tasks, 40, TASK_OWN); /* a process */
	task_table_mark(&bench.decode.tasks, 77, TASK_OWN); /* a thread of another process */
	ck_assert_uint_eq(decode_call(&bench, OLD_ENTER, 42, 1000, 7), 0);
	ck_assert_uint_eq(decode_call(&bench, OLD_ENTER, 77, 1000, 7), 0);
	ck_assert_uint_eq(decode_call(&bench, OLD_ENTER, 78, 1000, 7), 1);
	perf_decode_release(&bench.decode);
}
END_TEST

START_TEST(children_of_this_program_are_own_tasks)
{
	struct bench bench;

	bench_init(&bench);
	task_table_mark(&bench.decode.tasks, 40, TASK_OWN);
	ck_assert_uint_eq(decode_fork(&bench, 40, 60, 1000), 0);
	ck_assert_uint_eq(decode_call(&bench, OLD_ENTER, 60, 1001, 7), 0);
	/* The child ended, and another process got its pid. */
	ck_assert_uint_eq(decode_fork(&bench, 50, 60, 1002), 1);
	ck_assert_uint_eq(decode_call(&bench, OLD_ENTER, 60, 1003, 7), 1);
	perf_decode_release(&bench.decode);
}
END_TEST

START_TEST(children_of_selected_processes_are_selected)
{
	struct bench bench;

	bench_init(&bench);
	bench.decode.select = true;
	task_table_mark(&bench.decode.tasks, 40, TASK_WATCHED_PROCESS);
	task_table_mark(&bench.decode.tasks, 55, TASK_WATCHED_THREAD);
	ck_assert_uint_eq(decode_call(&bench, OLD_ENTER, 42, 1000, 7), 1);
	ck_assert_uint_eq(decode_call(&bench, OLD_ENTER, 55, 1000, 7), 1);
	ck_assert_uint_eq(decode_call(&bench, OLD_ENTER, 56, 1000, 7), 0);
	ck_assert_uint_eq(decode_fork(&bench, 42, 60, 1001), 1);
	ck_assert_uint_eq(decode_fork(&bench, 60, 70, 1002), 1);
	ck_assert_uint_eq(decode_fork(&bench, 55, 80, 1003), 0);
	ck_assert_uint_eq(decode_call(&bench, OLD_ENTER, 70, 1004, 7), 1);
	ck_assert_uint_eq(decode_call(&bench, OLD_ENTER, 80, 1004, 7), 0);
	/* Another process got the pid. */
	ck_assert_uint_eq(decode_fork(&bench, 90, 70, 1005), 0);
	ck_assert_uint_eq(decode_call(&bench, OLD_ENTER, 70, 1006, 7), 0);
	perf_decode_release(&bench.decode);
}
END_TEST

START_TEST(a_switch_emits_both_tasks)
{
	struct bench bench;
	static const struct {
		uint64_t state;
		bool preempted;
	} cases[] = {
		{ 0x0, true }, { 0x100, true }, { 0x1, false }, { 0x2, false }, { 0x80, false },
	};
	uint32_t raw_bytes = 20, next = 57;
	uint64_t prefix = 0;

	bench_init(&bench);
	task_table_set_pid(&bench.decode.tasks, 57, 50);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		bench.count = 0;
		begin_sample(&bench, SWITCHES, 42, 1000 + i);
		put_u64(&bench, 3);
		put_u64(&bench, PERF_CONTEXT_KERNEL);
		put_u64(&bench, 0xffffffff81000000);
		put_u64(&bench, 0xffffffff82000000);
		put(&bench, &raw_bytes, sizeof(raw_bytes));
		put(&bench, &prefix, sizeof(prefix));
		put(&bench, &cases[i].state, sizeof(cases[i].state));
		put(&bench, &next, sizeof(next));
		ck_assert_uint_eq(decode(&bench), 2);
		ck_assert_int_eq(bench.got[0].kind, RECORD_SWITCH_OUT);
		ck_assert_msg(bench.got[0].switch_out.preempted == cases[i].preempted, "state %lx",
			      (unsigned long)cases[i].state);
		ck_assert_uint_eq(bench.got[0].switch_out.stack.count, 3);
		ck_assert_uint_eq(bench.got[0].switch_out.stack.ips[2], 0xffffffff82000000);
		ck_assert_int_eq(bench.got[1].kind, RECORD_SWITCH_IN);
		ck_assert_uint_eq(bench.got[1].tid, 57);
		ck_assert_uint_eq(bench.got[1].pid, 50);
	}
	perf_decode_release(&bench.decode);
}
END_TEST

static size_t decode_waking(struct bench *bench, uint32_t waker, uint32_t tid, uint8_t flags)
{
	const uint8_t raw[20] = { [2] = flags, [12] = (uint8_t)tid };
	const uint64_t chain[] = { PERF_CONTEXT_KERNEL, 0xffffffff81000000, PERF_CONTEXT_USER,
				   0x401000 };
	uint32_t raw_bytes = sizeof(raw);

	begin_sample(bench, WAKINGS, waker, 1000 + bench->count);
	put_u64(bench, 4);
	put(bench, chain, sizeof(chain));
	put(bench, &raw_bytes, sizeof(raw_bytes));
	put(bench, raw, sizeof(raw));
	return decode(bench);
}

/* The kernel counts the frames of both halves, without the markers. */
START_TEST(a_callchain_of_the_maximum_length_is_cut)
{
	static const struct {
		uint64_t ips[4];
		uint32_t count, max;
		uint8_t cut;
	} cases[] = {
		{ { PERF_CONTEXT_KERNEL, 1, PERF_CONTEXT_USER, 2 }, 4, 3, 0 },
		{ { PERF_CONTEXT_KERNEL, 1, PERF_CONTEXT_USER, 2 }, 4, 2, STACK_CUT_USER },
		{ { PERF_CONTEXT_USER, 1, 2, 3 }, 4, 3, STACK_CUT_USER },
		{ { PERF_CONTEXT_KERNEL, 1, 2, 3 }, 4, 3, STACK_CUT_USER | STACK_CUT_KERNEL },
		{ { PERF_CONTEXT_KERNEL, 1, 2, 3 }, 4, 0, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct record_stack stack = { .ips = cases[i].ips, .count = cases[i].count };

		perf_stacks_limit(&stack, cases[i].max);
		ck_assert_msg(stack.cut == cases[i].cut, "case %zu", i);
	}
}
END_TEST

START_TEST(wakings_of_watched_threads_are_emitted_for_any_waker)
{
	struct bench bench;

	bench_init(&bench);
	bench.decode.per_task = true;
	task_table_mark(&bench.decode.tasks, 40, TASK_WATCHED_PROCESS);
	task_table_mark(&bench.decode.tasks, 55, TASK_WATCHED_THREAD);
	task_table_set_pid(&bench.decode.tasks, 42, 40);
	ck_assert_uint_eq(decode_waking(&bench, 99, 42, 0), 1);
	ck_assert_int_eq(bench.got[0].kind, RECORD_WAKING);
	ck_assert_uint_eq(bench.got[0].tid, 99);
	ck_assert_uint_eq(bench.got[0].waking.tid, 42);
	ck_assert_uint_eq(bench.got[0].waking.pid, 40);
	ck_assert(!bench.got[0].waking.in_interrupt);
	ck_assert_uint_eq(bench.got[0].waking.stack.count, 4);
	/* The pid of a leader needs no lookup. */
	ck_assert_uint_eq(decode_waking(&bench, 99, 40, 0), 1);
	ck_assert_uint_eq(decode_waking(&bench, 99, 55, 0), 1);
	ck_assert_uint_eq(decode_waking(&bench, 42, 99, 0), 0);
	/* The unwatched waker is named once, after its leader. Watched tasks have names already. */
	ck_assert_uint_eq(decode_waking(&bench, 42, 55, 0), 1);
	ck_assert_uint_eq(bench.waker_names.met, 2);
	ck_assert_uint_eq(bench.waker_names.named.ids[0], 90);
	ck_assert_uint_eq(bench.waker_names.named.ids[1], 99);
	perf_waker_names_release(&bench.waker_names);
	perf_decode_release(&bench.decode);
}
END_TEST

/* Fork a paused waker. Its pid ends in 0, so that begin_sample() derives the pid from the tid. */
static pid_t start_unknown_waker(void)
{
	for (;;) {
		pid_t pid = fork();

		ck_assert_int_ge(pid, 0);
		while (!pid)
			pause();
		if (pid % 10 == 0)
			return pid;
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
}

START_TEST(an_unknown_waker_is_named_before_its_waking)
{
	pid_t unknown_waker = start_unknown_waker();
	struct bench bench;

	bench_init(&bench);
	bench.decode.per_task = true;
	task_table_mark(&bench.decode.tasks, 40, TASK_WATCHED_PROCESS);
	task_table_set_pid(&bench.decode.tasks, 42, 40);
	ck_assert_uint_eq(decode_waking(&bench, (uint32_t)unknown_waker, 42, 0), 2);
	ck_assert_int_eq(bench.got[0].kind, RECORD_TASK);
	ck_assert_uint_eq(bench.got[0].tid, (uint32_t)unknown_waker);
	ck_assert_int_eq(bench.got[1].kind, RECORD_WAKING);
	ck_assert_uint_eq(bench.got[0].time_ns, bench.got[1].time_ns);
	/* The waker is known until its tid can have been reused. */
	ck_assert_uint_eq(decode_waking(&bench, (uint32_t)unknown_waker, 42, 0), 1);
	perf_waker_names_settle(&bench.waker_names, &bench.decode, 1);
	ck_assert_uint_eq(decode_waking(&bench, (uint32_t)unknown_waker, 42, 0), 1);
	perf_waker_names_settle(&bench.waker_names, &bench.decode, UINT64_MAX);
	ck_assert_uint_eq(decode_waking(&bench, (uint32_t)unknown_waker, 42, 0), 2);
	kill(unknown_waker, SIGKILL);
	waitpid(unknown_waker, NULL, 0);
	perf_waker_names_release(&bench.waker_names);
	perf_decode_release(&bench.decode);
}
END_TEST

START_TEST(a_caller_is_named_in_front_of_its_first_call)
{
	pid_t caller = start_unknown_waker();
	struct bench bench;

	bench_init(&bench);
	bench.decode.names_callers = true;
	ck_assert_uint_eq(decode_call(&bench, OLD_ENTER, (uint32_t)caller, 1000, 1), 2);
	ck_assert_int_eq(bench.got[0].kind, RECORD_TASK);
	ck_assert_uint_eq(bench.got[0].tid, (uint32_t)caller);
	ck_assert_int_eq(bench.got[1].kind, RECORD_ENTER);
	ck_assert_uint_eq(bench.got[0].time_ns, bench.got[1].time_ns);
	/* The caller is named once. Its child has the name of its parent. */
	ck_assert_uint_eq(decode_call(&bench, OLD_EXIT, (uint32_t)caller, 1001, 1), 1);
	perf_waker_names_settle(&bench.waker_names, &bench.decode, UINT64_MAX);
	ck_assert_uint_eq(decode_call(&bench, OLD_ENTER, (uint32_t)caller, 1002, 1), 1);
	ck_assert_uint_eq(decode_fork(&bench, (uint32_t)caller, 42, 1003), 1);
	ck_assert_uint_eq(decode_call(&bench, OLD_ENTER, 42, 1004, 1), 1);
	ck_assert_uint_eq(bench.waker_names.callers, 0);
	kill(caller, SIGKILL);
	waitpid(caller, NULL, 0);
	perf_waker_names_release(&bench.waker_names);
	perf_decode_release(&bench.decode);
}
END_TEST

START_TEST(a_parent_is_named_in_front_of_its_child)
{
	pid_t parent = start_unknown_waker();
	struct bench bench;

	bench_init(&bench);
	bench.decode.names_callers = true;
	ck_assert_uint_eq(decode_fork(&bench, (uint32_t)parent, 42, 1000), 2);
	ck_assert_int_eq(bench.got[0].kind, RECORD_TASK);
	ck_assert_uint_eq(bench.got[0].tid, (uint32_t)parent);
	ck_assert_int_eq(bench.got[1].kind, RECORD_FORK);
	kill(parent, SIGKILL);
	waitpid(parent, NULL, 0);
	perf_waker_names_release(&bench.waker_names);
	perf_decode_release(&bench.decode);
}
END_TEST

START_TEST(the_task_that_an_interrupt_hit_is_not_the_waker)
{
	static const uint8_t flags[] = { 0x08, 0x10, 0x18, 0x09 };
	struct bench bench;

	bench_init(&bench);
	for (size_t i = 0; i < sizeof(flags); i++) {
		ck_assert_uint_eq(decode_waking(&bench, 99, 42, flags[i]), 1);
		ck_assert(bench.got[i].waking.in_interrupt);
		/* The context marker and one kernel frame. */
		ck_assert_uint_eq(bench.got[i].waking.stack.count, 2);
	}
	ck_assert_uint_eq(decode_waking(&bench, 99, 42, 0x07), 1);
	ck_assert(!bench.got[4].waking.in_interrupt);
	ck_assert_uint_eq(bench.got[4].waking.stack.count, 4);
	ck_assert_uint_eq(bench.waker_names.met, 0);
	perf_decode_release(&bench.decode);
}
END_TEST

START_TEST(a_callchain_longer_than_its_record_is_refused)
{
	static const uint64_t counts[] = { 2, 1000, UINT64_MAX, UINT64_MAX / 8 + 1 };
	struct bench bench;

	bench_init(&bench);
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		begin_sample(&bench, SWITCHES, 42, 1000);
		put_u64(&bench, counts[i]);
		put_u64(&bench, 1);
		ck_assert_uint_eq(decode(&bench), 0);
		ck_assert_uint_eq(bench.decode.malformed, i + 1);
	}
	perf_decode_release(&bench.decode);
}
END_TEST

START_TEST(names_must_end_inside_their_record)
{
	struct bench bench;

	bench_init(&bench);
	begin(&bench, PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC);
	put_pair(&bench, 40, 42);
	put(&bench, "evil\x1b[2J", 9);
	put(&bench, "\0\0\0\0\0\0", 7);
	end_side(&bench, 42, 1000);
	ck_assert_uint_eq(decode(&bench), 1);
	ck_assert_int_eq(bench.got[0].kind, RECORD_COMM);
	ck_assert(bench.got[0].comm.exec);
	ck_assert_str_eq(bench.text, "evil\x1b[2J");
	begin(&bench, PERF_RECORD_COMM, 0);
	put_pair(&bench, 40, 42);
	put(&bench, "no end..", 8);
	end_side(&bench, 42, 1000);
	ck_assert_uint_eq(decode(&bench), 0);
	ck_assert_uint_eq(bench.decode.malformed, 1);
	perf_decode_release(&bench.decode);
}
END_TEST

START_TEST(losses_are_summed_up)
{
	struct bench bench;

	bench_init(&bench);
	begin(&bench, PERF_RECORD_LOST, 0);
	put_u64(&bench, OLD_ENTER);
	put_u64(&bench, 1234);
	end_side(&bench, 42, 1000);
	ck_assert_uint_eq(decode(&bench), 1);
	ck_assert_int_eq(bench.got[0].kind, RECORD_LOST);
	ck_assert_uint_eq(bench.got[0].lost.count, 1234);
	ck_assert_uint_eq(bench.got[0].cpu, 3);
	begin(&bench, PERF_RECORD_LOST_SAMPLES, 0);
	put_u64(&bench, 6);
	end_side(&bench, 42, 1001);
	ck_assert_uint_eq(decode(&bench), 1);
	ck_assert_uint_eq(bench.decode.lost, 1240);
	perf_decode_release(&bench.decode);
}
END_TEST

static size_t decode_event(struct bench *bench, uint32_t tid, uint32_t pid, uint32_t says)
{
	const uint32_t raw[] = { 0x1234, says, 77 }, raw_bytes = sizeof(raw);

	begin(bench, PERF_RECORD_SAMPLE, 0);
	put_u64(bench, OTHERS);
	put_pair(bench, pid, tid);
	put_u64(bench, 1000);
	put_pair(bench, 9, 0);
	put(bench, &raw_bytes, sizeof(raw_bytes));
	put(bench, raw, raw_bytes);
	return decode(bench);
}

START_TEST(other_tracepoints_are_emitted_with_their_bytes)
{
	struct perf_id other = { .id = OTHERS,
				 .kind = PERF_KIND_EVENT,
				 .period = PERF_PERIOD_EVENTS };
	struct bench bench;
	uint32_t field;

	other.event = 300;
	bench_init(&bench);
	perf_ids_add(&bench.decode.ids, &other);
	ck_assert_uint_eq(decode_event(&bench, 42, 40, 42), 1);
	ck_assert_int_eq(bench.got[0].kind, RECORD_EVENT);
	ck_assert(bench.got[0].tid == 42 && bench.got[0].pid == 40 && bench.got[0].cpu == 3);
	ck_assert_uint_eq(bench.got[0].event.number, 300);
	ck_assert_uint_eq(bench.got[0].event.bytes.len, 12);
	memcpy(&field, (const char *)bench.got[0].event.bytes.chunks + 8, sizeof(field));
	ck_assert_uint_eq(field, 77);
	/* A thread past its end has its tid only in the fields of the tracepoint. */
	task_table_set_pid(&bench.decode.tasks, 43, 40);
	ck_assert_uint_eq(decode_event(&bench, UINT32_MAX, UINT32_MAX, 43), 1);
	ck_assert(bench.got[1].tid == 43 && bench.got[1].pid == 40);
	/* Events of own tasks are dropped, as are events of a command before its execve. */
	task_table_mark(&bench.decode.tasks, 50, TASK_OWN);
	ck_assert_uint_eq(decode_event(&bench, 51, 50, 51), 0);
	bench.decode.command = 42;
	ck_assert_uint_eq(decode_event(&bench, 42, 40, 42), 0);
	bench.decode.command = 0;
	/* A length beyond the end of the record makes it malformed. */
	decode_event(&bench, 42, 40, 42);
	bench.header->size -= 8;
	ck_assert_uint_eq(decode(&bench), 0);
	ck_assert_uint_eq(bench.decode.malformed, 1);
	perf_decode_release(&bench.decode);
}
END_TEST

START_TEST(times_never_go_back)
{
	struct bench bench;

	bench_init(&bench);
	decode_call(&bench, OLD_ENTER, 42, 1000, 7);
	decode_call(&bench, OLD_ENTER, 43, 998, 7);
	ck_assert_uint_eq(bench.got[1].time_ns, 1000);
	perf_decode_release(&bench.decode);
}
END_TEST

static void decode_move(struct bench *bench, uint32_t raw_bytes, uint32_t tid)
{
	uint32_t raw[2] = { 7, tid };

	begin_sample(bench, MOVES, 999, 5);
	put(bench, &raw_bytes, sizeof(raw_bytes));
	put(bench, raw, raw_bytes);
	ck_assert_uint_eq(decode(bench), 0);
}

/* The thread that moves another need not be watched. A truncated sample is malformed. */
START_TEST(moves_and_changes_of_user_list_the_watched_thread)
{
	struct bench bench;
	struct perf_decode *decode = &bench.decode;

	bench_init(&bench);
	add_id(&bench, MOVES, PERF_KIND_MOVE, PERF_PERIOD_SIDEBAND, 0);
	decode->moved_tid = (struct tracepoint_field){ 4, 4, 1, true };
	decode->select = true;
	task_table_mark(&decode->tasks, 40, TASK_WATCHED_PROCESS);
	task_table_set_pid(&decode->tasks, 41, 40);
	task_table_set_pid(&decode->tasks, 51, 50);
	decode_move(&bench, 8, 41);
	decode_move(&bench, 8, 51);
	ck_assert_uint_eq(decode->malformed, 0);
	decode_move(&bench, 4, 41);
	ck_assert_uint_eq(decode->malformed, 1);
	decode_call(&bench, OLD_ENTER, 42, 6, SYS_setuid);
	ck_assert_uint_eq(decode->doubted.count, 1);
	ck_assert_uint_eq(decode->doubted.ids[0], 41);
	perf_decode_release(decode);
}
END_TEST

Suite *suite_perf_decode(void);
Suite *suite_perf_decode(void)
{
	Suite *suite = suite_create("perf_decode");
	TCase *tc = tcase_create("perf_decode");

	tcase_add_test(tc, enters_and_exits_are_decoded);
	tcase_add_test(tc, cut_samples_are_dropped_and_counted);
	tcase_add_test(tc, a_call_seen_by_two_sets_is_emitted_once);
	tcase_add_test(tc, no_call_counts_while_events_are_disabled_and_enabled);
	tcase_add_test(tc, an_unknown_event_or_period_emits_nothing);
	tcase_add_test(tc, a_thread_that_two_events_follow_counts_once);
	tcase_add_test(tc, own_tasks_are_never_emitted);
	tcase_add_test(tc, children_of_this_program_are_own_tasks);
	tcase_add_test(tc, children_of_selected_processes_are_selected);
	tcase_add_test(tc, a_switch_emits_both_tasks);
	tcase_add_test(tc, a_callchain_of_the_maximum_length_is_cut);
	tcase_add_test(tc, wakings_of_watched_threads_are_emitted_for_any_waker);
	tcase_add_test(tc, an_unknown_waker_is_named_before_its_waking);
	tcase_add_test(tc, a_caller_is_named_in_front_of_its_first_call);
	tcase_add_test(tc, a_parent_is_named_in_front_of_its_child);
	tcase_add_test(tc, the_task_that_an_interrupt_hit_is_not_the_waker);
	tcase_add_test(tc, a_callchain_longer_than_its_record_is_refused);
	tcase_add_test(tc, names_must_end_inside_their_record);
	tcase_add_test(tc, other_tracepoints_are_emitted_with_their_bytes);
	tcase_add_test(tc, a_sample_of_a_closed_event_comes_first_and_is_dropped);
	tcase_add_test(tc, losses_are_summed_up);
	tcase_add_test(tc, times_never_go_back);
	tcase_add_test(tc, moves_and_changes_of_user_list_the_watched_thread);
	suite_add_tcase(suite, tc);
	return suite;
}
