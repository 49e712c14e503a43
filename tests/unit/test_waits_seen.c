/* Waits with lost records: they are unknown, never zero. */
#include "engine/model/pairing.h"
#include "engine/model/waits.h"

#include "tests/unit/records.h"
#include "tests/unit/runner.h"

#include <string.h>
#include <sys/syscall.h>

static void out(struct pair_bench *bench, uint64_t time_ns, uint32_t cpu, bool preempted,
		uint32_t stack_id)
{
	struct record record = on_cpu(record_switch_out(time_ns, 7, preempted), cpu);

	pairing_switch_out(&bench->pairing, &record, stack_id);
}

static void in(struct pair_bench *bench, uint64_t time_ns, uint32_t cpu)
{
	struct record record = on_cpu(record_switch_in(time_ns, 7), cpu);

	pairing_switch_in(&bench->pairing, &record);
}

static void running(struct pair_bench *bench, uint64_t time_ns, uint32_t stack_id)
{
	struct record record = { .kind = RECORD_RUNNING, .time_ns = time_ns, .pid = 7, .tid = 7 };

	pairing_running(&bench->pairing, &record, stack_id);
}

static void blind(struct pair_bench *bench, uint32_t cpu, uint64_t until_ns)
{
	struct record record = { .kind = RECORD_SWITCHES_LOST,
				 .time_ns = 1,
				 .cpu = cpu,
				 .switches_lost.until_ns = until_ns };

	pair_bench_feed(bench, record);
}

static void lost(struct pair_bench *bench, uint64_t time_ns, uint32_t cpu, enum record_loss kind)
{
	struct record record = record_lost(time_ns, cpu, 3);

	record.lost.kind = kind;
	pair_bench_feed(bench, record);
}

/* Records between an enter at 100 ns on CPU 0 and an exit at 1 ms on `exit_cpu`. */
enum between {
	NOTHING,
	ONE_WAIT, /* switch-out on CPU 0, switch-in on CPU 1 */
	IN_ALONE, /* a switch-in without its switch-out */
	OUT_ALONE,
	ONE_WAIT_REPORTED_TWICE, /* the second record comes much later: its writer was stopped */
	TWO_OUTS,
	BLIND_OF_ITS_CPU, /* the thread's CPU loses switches during the call */
	BLIND_BEFORE, /* the thread's CPU loses switches before the enter */
	BLIND_OF_ANOTHER,
	LOST_BESIDE,
	LOST_STREAM,
	WAIT_AND_BLIND_OF_ANOTHER, /* the thread can have run on that CPU */
};

static void happen(struct pair_bench *bench, enum between between)
{
	switch (between) {
	case NOTHING:
		break;
	case ONE_WAIT:
		out(bench, 120, 0, false, 5);
		in(bench, 150, 1);
		break;
	case IN_ALONE:
		in(bench, 150, 1);
		break;
	case OUT_ALONE:
		out(bench, 120, 0, false, 5);
		break;
	case ONE_WAIT_REPORTED_TWICE:
		out(bench, 120, 0, false, 5);
		out(bench, 900000, 0, false, 0);
		in(bench, 900010, 0);
		break;
	case TWO_OUTS:
		out(bench, 120, 0, false, 5);
		out(bench, 900000, 1, false, 5);
		in(bench, 900010, 1);
		break;
	case BLIND_OF_ITS_CPU:
		blind(bench, 0, 130);
		break;
	case BLIND_BEFORE:
		blind(bench, 0, 99);
		break;
	case BLIND_OF_ANOTHER:
		blind(bench, 1, 130);
		break;
	case LOST_BESIDE:
		lost(bench, 130, 0, LOSS_OTHER);
		break;
	case LOST_STREAM:
		lost(bench, 130, 0, LOSS_OF_STREAM);
		break;
	case WAIT_AND_BLIND_OF_ANOTHER:
		out(bench, 120, 0, false, 5);
		blind(bench, 2, 140);
		in(bench, 150, 0);
		break;
	}
}

static const struct {
	const char *name;
	enum between between;
	uint32_t exit_cpu;
	bool known;
	int outs; /* switches that the source counted */
	bool known_by_count;
} seen_cases[] = {
	{ "it ran all the time", NOTHING, 0, true, 0, true },
	{ "the source counted a switch without a record", NOTHING, 0, true, 1, false },
	{ "it returned on another CPU", NOTHING, 1, false, 0, false },
	{ "a whole wait", ONE_WAIT, 1, true, 1, true },
	{ "a whole wait, and it returned elsewhere", ONE_WAIT, 0, false, 1, false },
	{ "one of two waits was recorded", ONE_WAIT, 1, true, 2, false },
	{ "its switch-out was lost", IN_ALONE, 1, false, 1, false },
	{ "its switch-in was lost", OUT_ALONE, 0, false, 1, false },
	{ "a switch-in between two waits was lost", TWO_OUTS, 1, false, 2, false },
	{ "one switch has two records", ONE_WAIT_REPORTED_TWICE, 0, true, 1, true },
	{ "its CPU lost records", BLIND_OF_ITS_CPU, 0, false, 0, true },
	{ "its CPU lost records before", BLIND_BEFORE, 0, true, 0, true },
	{ "another CPU lost records", BLIND_OF_ANOTHER, 0, true, 0, true },
	{ "switches were lost", LOST_BESIDE, 0, false, 0, true },
	{ "calls were lost", LOST_STREAM, 0, true, 0, true },
	{ "it may have run elsewhere", WAIT_AND_BLIND_OF_ANOTHER, 0, false, 1, true },
};

START_TEST(waits_with_lost_records_are_unknown)
{
	for (size_t i = 0; i < sizeof(seen_cases) / sizeof(seen_cases[0]); i++) {
		for (int counted = 0; counted < 2; counted++) {
			bool known = counted ? seen_cases[i].known_by_count : seen_cases[i].known;
			struct pair_bench *bench = pair_bench_new();
			struct record exit = record_exit(1000000, 7, SYS_read, 1);
			struct record whole = record_call(100, 1000000, 7, SYS_read, 3, 1);
			const struct call *call = &bench->done.calls[0];

			pair_bench_feed(bench, record_enter(100, 7, SYS_read, 3));
			happen(bench, seen_cases[i].between);
			whole.call.switches = (uint16_t)(1 + seen_cases[i].outs);
			pair_bench_feed(bench,
					on_cpu(counted ? whole : exit, seen_cases[i].exit_cpu));
			ck_assert_uint_eq(bench->done.count, 1);
			ck_assert_msg(call_waits_are_known(call) == known, "%s%s",
				      seen_cases[i].name, counted ? ", counted" : "");
			ck_assert_int_eq(call->dur_ns < 0 ? 999900 : call->dur_ns, 999900);
			ck_assert_uint_le(call->blocked_ns + call->runnable_ns, 999900);
			pair_bench_free(bench);
		}
	}
}
END_TEST

/*
 * Compare every sequence of up to five pieces of evidence with a second formulation of the rule.
 * Waits are unknown after a certain loss, and after a possible one until a count excludes it.
 */
START_TEST(all_evidence_in_any_order_has_the_specified_result)
{
	enum { LENGTH = 5 };
	unsigned int sequences = 1;

	for (int i = 0; i < LENGTH; i++)
		sequences *= EVIDENCES;
	for (unsigned int i = 0; i < sequences; i++) {
		struct call call = { .flags = CALL_SEEDED };
		uint8_t known = WAITS_EXACT;
		bool doubted = false, missed = false;
		unsigned int rest = i;

		for (int place = 0; place < LENGTH; place++, rest /= EVIDENCES) {
			enum wait_evidence evidence = rest % EVIDENCES;

			wait_learn(&call, &known, evidence);
			missed |= evidence == EVIDENCE_LOST || evidence == EVIDENCE_UNWATCHED ||
				  evidence == EVIDENCE_COUNT_DIFFERS ||
				  (evidence == EVIDENCE_UNCOUNTED && doubted);
			doubted |= evidence == EVIDENCE_MAY_BE_LOST;
			doubted &= evidence != EVIDENCE_COUNT_EQUAL;
			ck_assert_msg(call_waits_are_known(&call) == (!missed && !doubted),
				      "sequence %u, place %d", i, place);
			ck_assert_msg((known == WAITS_EXACT) == (!missed && !doubted),
				      "sequence %u, place %d", i, place);
		}
		ck_assert(call.flags & CALL_SEEDED);
	}
}
END_TEST

/* A call that is reported only at its end: it stayed on its CPU, or the ring had no room. */
START_TEST(a_whole_call_counts_its_switches)
{
	static const struct {
		uint16_t switches;
		uint32_t exit_cpu;
		bool lost, known;
	} cases[] = {
		{ 1, 0, false, true }, { 1, 0, true, true },  { 2, 0, false, false },
		{ 0, 0, false, true }, { 0, 0, true, false }, { 0, 1, false, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pair_bench *bench = pair_bench_new();
		struct record whole = record_call(100, 200, 7, SYS_read, 3, 1);

		whole.call.switches = cases[i].switches;
		if (cases[i].lost)
			lost(bench, 150, 0, LOSS_OTHER);
		pair_bench_feed(bench, on_cpu(whole, cases[i].exit_cpu));
		ck_assert_uint_eq(bench->done.count, 1);
		ck_assert_msg(call_waits_are_known(&bench->done.calls[0]) == cases[i].known,
			      "case %zu", i);
		pair_bench_free(bench);
	}
}
END_TEST

START_TEST(without_switch_records_waits_are_unknown)
{
	struct pair_bench *bench = pair_bench_new();
	struct call call;

	pairing_watch_waits(&bench->pairing, false, true);
	pair_bench_feed(bench, record_enter(100, 7, SYS_read, 3));
	pairing_call_at(&bench->pairing, tasks_find(bench->tasks, 7), 150, &call);
	ck_assert(!call_waits_are_known(&call));
	pair_bench_feed(bench, record_exit(200, 7, SYS_read, 1));
	pair_bench_feed(bench, record_call(300, 400, 7, SYS_read, 3, 1));
	ck_assert_uint_eq(bench->done.count, 2);
	ck_assert(!call_waits_are_known(&bench->done.calls[0]));
	ck_assert(!call_waits_are_known(&bench->done.calls[1]));
	pair_bench_free(bench);
}
END_TEST

/* perf record with a command: switch-ins from other programs are not recorded. */
START_TEST(missing_switch_ins_are_not_needed)
{
	struct pair_bench *bench = pair_bench_new();

	pairing_watch_waits(&bench->pairing, true, false);
	pair_bench_feed(bench, record_enter(100, 7, SYS_read, 3));
	out(bench, 120, 0, false, 5);
	pair_bench_feed(bench, on_cpu(record_exit(200, 7, SYS_read, 1), 1));
	ck_assert(call_waits_are_known(&bench->done.calls[0]));
	ck_assert_uint_eq(bench->done.calls[0].blocked_ns, 80);
	pair_bench_free(bench);
}
END_TEST

START_TEST(a_loss_makes_waits_in_flight_unknown)
{
	struct pair_bench *bench = pair_bench_new();
	const struct task *task;
	struct call call;

	pair_bench_feed(bench, record_enter(100, 7, SYS_read, 3));
	task = tasks_find(bench->tasks, 7);
	pairing_call_at(&bench->pairing, task, 150, &call);
	ck_assert(call_waits_are_known(&call));
	ck_assert_int_eq(call_thread_letter(&call), 'R');
	blind(bench, 0, 160);
	pairing_call_at(&bench->pairing, task, 170, &call);
	ck_assert(!call_waits_are_known(&call));
	ck_assert_int_eq(call_thread_letter(&call), '?');
	pair_bench_free(bench);
}
END_TEST

START_TEST(the_state_of_a_waiting_thread_is_shown)
{
	static const struct {
		uint8_t state;
		char letter;
	} cases[] = {
		{ THREAD_SLEEPING, 'S' }, { THREAD_DISK, 'D' }, { THREAD_STOPPED, 'T' },
		{ THREAD_TRACED, 't' },   { THREAD_IDLE, 'I' }, { THREAD_STATE_UNKNOWN, '?' },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pair_bench *bench = pair_bench_new();
		struct record record = record_switch_out(120, 7, false);
		struct call call;

		pair_bench_feed(bench, record_enter(100, 7, SYS_read, 3));
		record.switch_out.state = cases[i].state;
		pairing_switch_out(&bench->pairing, &record, 0);
		/* PERF_RECORD_SWITCH, which has no state. */
		record.switch_out.state = THREAD_STATE_UNKNOWN;
		pairing_switch_out(&bench->pairing, &record, 0);
		pairing_call_at(&bench->pairing, tasks_find(bench->tasks, 7), 150, &call);
		ck_assert_int_eq(call_thread_letter(&call), cases[i].letter);
		record = record_waking(160, 9, 7);
		pairing_waking(&bench->pairing, &record, 0);
		pairing_call_at(&bench->pairing, tasks_find(bench->tasks, 7), 170, &call);
		ck_assert_int_eq(call_thread_letter(&call), 'R');
		in(bench, 180, 0);
		pair_bench_feed(bench, record_exit(200, 7, SYS_read, 1));
		ck_assert_int_eq(call_thread_letter(&bench->done.calls[0]), cases[i].letter);
		pair_bench_free(bench);
	}
}
END_TEST

/* -- Stacks of calls that did not wait -------------------------------------------------------- */

#define MS 1000000ULL

START_TEST(a_thread_found_running_has_a_stack)
{
	struct pair_bench *bench = pair_bench_new();
	const struct call *call = &bench->done.calls[0];

	pair_bench_feed(bench, record_enter(100, 7, SYS_read, 3));
	running(bench, 100 + MS, 4); /* too early for a stack */
	ck_assert_uint_eq(tasks_find(bench->tasks, 7)->call.stack_id, 0);
	running(bench, 100 + 8 * MS, 5);
	pair_bench_feed(bench, record_exit(100 + 20 * MS, 7, SYS_read, 1));
	ck_assert_uint_eq(call->stack_id, 5);
	ck_assert_uint_eq(call->flags, CALL_STACK_SAMPLED);
	ck_assert(!call_stack_is_of_enter(call));
	/* The next call does not inherit the stack. */
	pair_bench_feed(bench, record_enter(200 + 20 * MS, 7, SYS_read, 3));
	pair_bench_feed(bench, record_exit(300 + 20 * MS, 7, SYS_read, 1));
	ck_assert_uint_eq(bench->done.calls[1].stack_id, 0);
	pair_bench_free(bench);
}
END_TEST

/* With BPF, the call is reported at its end, after its sample. */
START_TEST(a_call_that_is_reported_later_has_its_sample)
{
	static const struct {
		uint64_t enter_ns, exit_ns;
		uint32_t stack_id;
	} cases[] = {
		{ 10 * MS, 30 * MS, 5 },
		{ 21 * MS, 30 * MS, 0 },
		{ 10 * MS, 19 * MS, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pair_bench *bench = pair_bench_new();

		pair_bench_feed(bench, record_call(1, 2, 7, SYS_read, 3, 1));
		running(bench, 20 * MS, 5);
		pair_bench_feed(
			bench, record_call(cases[i].enter_ns, cases[i].exit_ns, 7, SYS_read, 3, 1));
		ck_assert_uint_eq(bench->done.calls[1].stack_id, cases[i].stack_id);
		pair_bench_free(bench);
	}
}
END_TEST

/*
 * The stack of a wait takes precedence over that of a sample, and both over that of a preemption.
 * If the call ran longer than it waited, the stack of the sample is stored, too.
 */
START_TEST(the_best_stack_of_a_call_is_shown)
{
	static const struct {
		const char *name;
		bool preempted, sampled;
		uint64_t waited_ms;
		uint32_t stack_id, ran_stack_id;
		uint16_t flags;
	} cases[] = {
		{ "nothing", false, false, 0, 0, 0, 0 },
		{ "preempted", true, false, 0, 5, 0, CALL_STACK_PREEMPTED },
		{ "preempted and found", true, true, 0, 6, 0, CALL_STACK_SAMPLED },
		{ "all, waited for little", true, true, 1, 7, 6, 0 },
		{ "all, waited for much", true, true, 30, 7, 0, 0 },
		{ "found, waited for little", false, true, 1, 7, 6, 0 },
		{ "found, waited for as long", false, true, 20, 7, 0, 0 },
		{ "found, waited for much", false, true, 30, 7, 0, 0 },
		{ "preempted, waited for little", true, false, 1, 7, 0, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pair_bench *bench = pair_bench_new();
		const struct call *call = &bench->done.calls[0];

		pair_bench_feed(bench, record_enter(100, 7, SYS_read, 3));
		if (cases[i].preempted) {
			out(bench, 2 * MS, 0, true, 5);
			in(bench, 3 * MS, 0);
		}
		if (cases[i].sampled)
			running(bench, 8 * MS, 6);
		if (cases[i].waited_ms) {
			out(bench, 10 * MS, 0, false, 7);
			in(bench, (10 + cases[i].waited_ms) * MS, 0);
		}
		pair_bench_feed(bench, record_exit((20 + cases[i].waited_ms) * MS, 7, SYS_read, 1));
		ck_assert_msg(call->stack_id == cases[i].stack_id, "%s: stack %u", cases[i].name,
			      call->stack_id);
		ck_assert_msg(call->ran_stack_id == cases[i].ran_stack_id, "%s: ran in stack %u",
			      cases[i].name, call->ran_stack_id);
		ck_assert_uint_eq(call->ran_after_us, cases[i].sampled ? 7999 : 0);
		ck_assert_msg(call->flags == cases[i].flags, "%s: flags %x", cases[i].name,
			      call->flags);
		pair_bench_free(bench);
	}
}
END_TEST

Suite *suite_waits_seen(void);
Suite *suite_waits_seen(void)
{
	Suite *suite = suite_create("waits_seen");
	TCase *tests = tcase_create("waits_seen");

	tcase_add_test(tests, waits_with_lost_records_are_unknown);
	tcase_add_test(tests, all_evidence_in_any_order_has_the_specified_result);
	tcase_add_test(tests, a_whole_call_counts_its_switches);
	tcase_add_test(tests, without_switch_records_waits_are_unknown);
	tcase_add_test(tests, missing_switch_ins_are_not_needed);
	tcase_add_test(tests, a_loss_makes_waits_in_flight_unknown);
	tcase_add_test(tests, the_state_of_a_waiting_thread_is_shown);
	tcase_add_test(tests, a_thread_found_running_has_a_stack);
	tcase_add_test(tests, a_call_that_is_reported_later_has_its_sample);
	tcase_add_test(tests, the_best_stack_of_a_call_is_shown);
	suite_add_tcase(suite, tests);
	return suite;
}
