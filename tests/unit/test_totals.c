#include "engine/model/totals.h"

#include "tests/unit/runner.h"

#include <stdlib.h>
#include <string.h>

static void add(struct totals *totals, uint32_t pid, uint32_t tid, uint16_t nr, int64_t dur_ns,
		int64_t ret)
{
	struct call call = {
		.pid = pid, .tid = tid, .nr = nr, .dur_ns = dur_ns, .ret = ret, .state = CALL_DONE
	};

	if (dur_ns > 0) {
		call.blocked_ns = (uint64_t)dur_ns / 2;
		call.runnable_ns = (uint64_t)dur_ns / 4;
	}
	totals_add(totals, &call);
}

/* Sums of a walk over all cells, for comparison. */
struct seen {
	uint64_t cells, calls, total_ns, folded_calls, pid_calls, tid_calls, nr_calls;
	uint32_t pid, tid, nr;
};

static void see(void *ctx, uint32_t pid, uint32_t tid, uint32_t nr, const struct totals_cell *cell)
{
	struct seen *seen = ctx;

	seen->cells++;
	seen->calls += cell->calls;
	seen->total_ns += cell->total_ns;
	if (!tid)
		seen->folded_calls += cell->calls;
	if (pid == seen->pid)
		seen->pid_calls += cell->calls;
	if (tid == seen->tid)
		seen->tid_calls += cell->calls;
	if (nr == seen->nr)
		seen->nr_calls += cell->calls;
	ck_assert_uint_gt(cell->calls, 0);
}

static struct seen look(struct totals *totals, uint32_t pid, uint32_t tid, uint32_t nr)
{
	struct seen seen = { .pid = pid, .tid = tid, .nr = nr };

	totals_each(totals, see, &seen);
	return seen;
}

static uint64_t calls_of(const struct totals *totals, uint32_t pid)
{
	struct totals_cell sum;
	uint64_t calls;

	totals_cell_init(&sum);
	totals_sum(totals, pid, &sum);
	calls = sum.calls;
	totals_cell_release(&sum);
	return calls;
}

/* Errors are summed by errno; those of aggregates have no number. */
START_TEST(errors_are_counted_by_number)
{
	const uint32_t steps[HISTOGRAM_STEPS] = { 5 };
	struct record counted = {
		.pid = 10, .aggregate = { .nr = 1, .calls = 5, .errors = 4, .steps = steps }
	};
	struct totals *totals = totals_new();
	struct totals_cell sum;
	struct errno_count top[3];

	add(totals, 10, 10, 1, 10, -2);
	add(totals, 10, 11, 1, 10, -11);
	add(totals, 10, 11, 1, 10, -11);
	add(totals, 10, 11, 1, 10, -4096);
	totals_add_aggregate(totals, &counted);
	totals_cell_init(&sum);
	totals_sum(totals, 10, &sum);
	ck_assert_uint_eq(sum.errors, 7);
	ck_assert_uint_eq(errno_counts_top(&sum.errnos, top, 3), 3);
	ck_assert(top[0].number == ERRNO_COUNTS_UNKNOWN && top[0].count == 4);
	ck_assert(top[1].number == 11 && top[1].count == 2);
	ck_assert(top[2].number == 2 && top[2].count == 1);
	totals_cell_release(&sum);
	totals_free(totals);
}
END_TEST

START_TEST(a_cell_sums_up_its_calls)
{
	struct totals *totals = totals_new();
	struct totals_cell sum;

	add(totals, 5, 7, 1, 400, 3);
	add(totals, 5, 7, 1, 1000, -2);
	add(totals, 5, 7, 1, 100, -5000); /* not an error number */
	totals_cell_init(&sum);
	ck_assert_uint_eq(sum.min_ns, UINT64_MAX);
	totals_sum(totals, 5, &sum);
	ck_assert_uint_eq(sum.calls, 3);
	ck_assert_uint_eq(sum.errors, 1);
	ck_assert_uint_eq(sum.total_ns, 1500);
	ck_assert_uint_eq(sum.blocked_ns, 750);
	ck_assert_uint_eq(sum.runnable_ns, 375);
	ck_assert_uint_eq(sum.min_ns, 100);
	ck_assert_uint_eq(sum.max_ns, 1000);
	ck_assert_uint_eq(sum.durations.count, 3);
	ck_assert_uint_eq(histogram_quantile(&sum.durations, 0.5), 400);
	totals_cell_release(&sum);
	totals_free(totals);
}
END_TEST

/* Calls without a duration add no times, so their unknown waits do not count. */
/* clang-format off */
START_TEST(unknown_waits_are_counted)
{
	const uint32_t steps[HISTOGRAM_STEPS] = { 5 };
	struct record counted = { .pid = 5, .aggregate = { .nr = 1, .calls = 5, .total_ns = 50,
							 .min_ns = 10, .max_ns = 10,
							 .steps = steps } };
	struct call call = { .pid = 5, .tid = 7, .nr = 1, .state = CALL_DONE, .dur_ns = 90,
			     .flags = CALL_WAITS_UNKNOWN };
	struct totals *totals = totals_new();
	/* clang-format on */
	struct totals_cell sum;

	totals_add(totals, &call);
	call.dur_ns = -1;
	totals_add(totals, &call);
	call = (struct call){ .pid = 5, .tid = 7, .nr = 1, .state = CALL_DONE, .dur_ns = 90 };
	totals_add(totals, &call);
	totals_add_aggregate(totals, &counted);
	totals_cell_init(&sum);
	totals_sum(totals, 5, &sum);
	ck_assert_uint_eq(sum.calls, 8);
	ck_assert_uint_eq(sum.waits_unknown, 6);
	totals_cell_release(&sum);
	totals_free(totals);
}
END_TEST

START_TEST(quantiles_stay_between_the_shortest_and_the_longest)
{
	static const int64_t durations[] = { 1000, 1011, 5000, 70000, 123456, 999999 };

	for (size_t i = 0; i < sizeof(durations) / sizeof(durations[0]); i++) {
		struct totals *totals = totals_new();
		struct totals_cell sum;

		totals_cell_init(&sum);
		ck_assert_uint_eq(totals_cell_quantile(&sum, 0.5), 0);
		for (int n = 0; n < 100; n++)
			add(totals, 5, 7, 1, durations[i], 0);
		totals_sum(totals, 5, &sum);
		ck_assert_int_eq(totals_cell_quantile(&sum, 0), durations[i]);
		ck_assert_int_eq(totals_cell_quantile(&sum, 0.99), durations[i]);
		totals_cell_release(&sum);
		totals_free(totals);
	}
}
END_TEST

START_TEST(only_returned_calls_are_counted)
{
	static const struct {
		const char *name;
		enum call_state state;
		int64_t dur_ns;
		uint64_t calls, durations, blocked_ns, untimed;
	} cases[] = {
		{ "done", CALL_DONE, 50, 1, 1, 10, 0 },
		{ "done in no time", CALL_DONE, 0, 1, 1, 10, 0 },
		{ "done, duration unknown", CALL_DONE, -1, 1, 0, 0, 1 },
		{ "orphan", CALL_ORPHAN, -1, 1, 0, 0, 1 },
		{ "in flight", CALL_IN_FLIGHT, -1, 0, 0, 0, 0 },
		{ "ended", CALL_ENDED, 50, 0, 0, 0, 0 },
		{ "lost exit", CALL_LOST_EXIT, -1, 0, 0, 0, 0 },
		{ "gap", CALL_GAP, -1, 0, 0, 0, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct totals *totals = totals_new();
		struct call call = { .pid = 5,
				     .tid = 5,
				     .nr = 1,
				     .state = (uint8_t)cases[i].state,
				     .dur_ns = cases[i].dur_ns,
				     .blocked_ns = 10 };
		struct totals_cell sum;

		totals_cell_init(&sum);
		totals_add(totals, &call);
		totals_sum(totals, 0, &sum);
		ck_assert_msg(sum.calls == cases[i].calls, "%s: calls", cases[i].name);
		ck_assert_msg(sum.durations.count == cases[i].durations, "%s: durations",
			      cases[i].name);
		ck_assert_msg(sum.blocked_ns == cases[i].blocked_ns, "%s: blocked", cases[i].name);
		ck_assert_msg(totals_cell_untimed(&sum) == cases[i].untimed, "%s: untimed",
			      cases[i].name);
		ck_assert_msg((sum.min_ns == UINT64_MAX) == !cases[i].durations, "%s: min",
			      cases[i].name);
		ck_assert_msg(totals_has(totals, 5) == (cases[i].calls > 0), "%s: has",
			      cases[i].name);
		totals_cell_release(&sum);
		totals_free(totals);
	}
}
END_TEST

START_TEST(each_thread_and_call_has_its_cell)
{
	struct totals *totals = totals_new();
	struct seen seen;

	for (uint16_t nr = 0; nr < 500; nr++)
		for (uint32_t tid = 10; tid < 14; tid++)
			for (uint32_t n = 0; n <= nr % 5; n++)
				add(totals, tid / 2, tid, nr, 10, 0);
	seen = look(totals, 5, 11, 7);
	ck_assert_uint_eq(seen.cells, 2000);
	ck_assert_uint_eq(seen.calls, 4 * 1500);
	ck_assert_uint_eq(seen.pid_calls, 2 * 1500);
	ck_assert_uint_eq(seen.tid_calls, 1500);
	ck_assert_uint_eq(seen.nr_calls, 4 * 3);
	ck_assert_uint_eq(calls_of(totals, 6), 3000);
	ck_assert_uint_eq(calls_of(totals, 0), 6000);
	ck_assert_uint_eq(calls_of(totals, 77), 0);
	totals_clear(totals);
	ck_assert_uint_eq(look(totals, 0, 1, 0).cells, 0);
	add(totals, 5, 10, 1, 10, 0);
	ck_assert_uint_eq(calls_of(totals, 5), 1);
	totals_free(totals);
}
END_TEST

START_TEST(invalid_call_numbers_share_a_cell)
{
	struct totals *totals = totals_new();

	add(totals, 5, 5, TOTALS_NR_OTHER - 1, 10, 0);
	add(totals, 5, 5, TOTALS_NR_OTHER, 10, 0);
	add(totals, 5, 5, 30000, 10, 0);
	add(totals, 5, 5, UINT16_MAX, 10, 0);
	ck_assert_uint_eq(look(totals, 5, 5, TOTALS_NR_OTHER - 1).nr_calls, 1);
	ck_assert_uint_eq(look(totals, 5, 5, TOTALS_NR_OTHER).nr_calls, 3);
	totals_free(totals);
}
END_TEST

START_TEST(short_processes_keep_their_totals)
{
	struct totals *totals = totals_new();

	for (uint32_t pid = 100; pid < 300; pid++) {
		for (uint32_t n = 0; n < pid; n++)
			add(totals, pid, pid, (uint16_t)(n % 20), 100, n % 20 ? 0 : -2);
		totals_end_thread(totals, pid, pid);
		totals_end_process(totals, pid, NULL);
	}
	for (uint32_t pid = 100; pid < 300; pid++) {
		struct totals_cell sum;

		totals_cell_init(&sum);
		totals_sum(totals, pid, &sum);
		ck_assert_msg(sum.calls == pid && sum.total_ns == 100 * pid &&
				      sum.errors == (pid + 19) / 20,
			      "process %u: %lu calls", pid, (unsigned long)sum.calls);
		totals_cell_release(&sum);
	}
	ck_assert_uint_eq(look(totals, 0, 1, 0).cells, 200 * 20);
	totals_free(totals);
}
END_TEST

START_TEST(many_ended_threads_are_folded_and_nothing_is_lost)
{
	struct totals *totals = totals_new();
	struct seen seen;

	add(totals, 5, 5, 1, 10, 0);
	for (uint32_t tid = 1000; tid < 3000; tid++) {
		add(totals, 5, tid, 1, 10, 0);
		add(totals, 5, tid, 2, 30, 0);
		totals_end_thread(totals, 5, tid);
	}
	seen = look(totals, 5, 5, 2);
	ck_assert_uint_eq(seen.calls, 4001);
	ck_assert_uint_eq(seen.total_ns, 10 + 2000 * 40);
	ck_assert_uint_eq(seen.nr_calls, 2000);
	ck_assert_uint_eq(seen.tid_calls, 1);
	ck_assert_uint_gt(seen.folded_calls, 3900);
	ck_assert_uint_le(seen.cells, 1 + 2 + 2 * TOTALS_ENDED_THREADS);
	/* A reused tid is a separate thread; a second end has no effect. */
	add(totals, 5, 1000, 1, 10, 0);
	ck_assert_uint_eq(look(totals, 5, 1000, 1).tid_calls, 1);
	totals_end_thread(totals, 5, 1000);
	totals_end_thread(totals, 5, 1000);
	totals_end_thread(totals, 6, 1000);
	ck_assert_uint_eq(calls_of(totals, 5), 4002);
	totals_free(totals);
}
END_TEST

START_TEST(few_ended_threads_keep_their_identity)
{
	struct totals *totals = totals_new();

	for (uint32_t tid = 1; tid <= TOTALS_ENDED_THREADS; tid++) {
		add(totals, 1, tid, 1, 10, 0);
		totals_end_thread(totals, 1, tid);
	}
	totals_end_process(totals, 1, NULL);
	ck_assert_uint_eq(look(totals, 1, 3, 1).tid_calls, 1);
	ck_assert_uint_eq(look(totals, 1, 3, 1).folded_calls, 0);
	/* A thread that makes further calls has not ended. */
	add(totals, 1, 3, 1, 10, 0);
	for (uint32_t tid = 100; tid < 102; tid++) {
		add(totals, 1, tid, 1, 10, 0);
		totals_end_thread(totals, 1, tid);
	}
	ck_assert_uint_eq(look(totals, 1, 3, 1).tid_calls, 2);
	ck_assert_uint_eq(calls_of(totals, 1), TOTALS_ENDED_THREADS + 3);
	totals_free(totals);
}
END_TEST

START_TEST(a_thread_with_further_calls_has_not_ended)
{
	struct totals *totals = totals_new();

	/* Thread 7 was counted last, so it is found without a search. */
	add(totals, 1, 7, 1, 10, 0);
	totals_end_thread(totals, 1, 7);
	add(totals, 1, 7, 1, 10, 0);
	for (uint32_t tid = 100; tid < 200; tid++) {
		add(totals, 1, tid, 1, 10, 0);
		totals_end_thread(totals, 1, tid);
	}
	ck_assert_uint_eq(look(totals, 1, 7, 1).tid_calls, 2);
	totals_free(totals);
}
END_TEST

START_TEST(very_many_ended_processes_are_folded)
{
	struct totals *totals = totals_new();
	uint64_t calls = 0;
	uint32_t kept = 0;

	for (uint32_t pid = 1; pid <= 3 * TOTALS_ENDED_PROCESSES; pid++) {
		/* Every thousandth process is busy. */
		uint32_t count = pid % 1000 ? 1 + pid % 3 : 50;

		for (uint32_t n = 0; n < count; n++)
			add(totals, pid, pid, 1, 10, 0);
		calls += count;
		totals_end_process(totals, pid, NULL);
	}
	ck_assert_uint_eq(calls_of(totals, 0), calls);
	ck_assert_uint_eq(look(totals, TOTALS_ENDED_PID, 1, 1).calls, calls);
	for (uint32_t pid = 1; pid <= 3 * TOTALS_ENDED_PROCESSES; pid++)
		kept += totals_has(totals, pid);
	ck_assert_uint_le(kept, TOTALS_ENDED_PROCESSES);
	ck_assert_uint_ge(kept, TOTALS_ENDED_PROCESSES / 2);
	ck_assert(totals_has(totals, TOTALS_ENDED_PID));
	ck_assert(totals_has(totals, 3 * TOTALS_ENDED_PROCESSES));
	ck_assert(totals_has(totals, 1000));
	ck_assert_uint_eq(calls_of(totals, 1000), 50);
	ck_assert(!totals_has(totals, 1));
	totals_free(totals);
}
END_TEST

START_TEST(a_reused_pid_is_not_folded)
{
	struct totals *totals = totals_new();

	add(totals, 1, 1, 1, 10, 0);
	totals_end_process(totals, 1, NULL);
	add(totals, 2, 2, 1, 10, 0);
	totals_end_process(totals, 2, NULL);
	totals_end_process(totals, 1, NULL);
	add(totals, 1, 1, 1, 10, 0);
	/* Process 1 has the fewest calls: if it counted as ended, it would be folded first. */
	for (uint32_t pid = 2; pid <= 2 * TOTALS_ENDED_PROCESSES; pid++) {
		for (int n = 0; n < 3; n++)
			add(totals, pid, pid, 1, 10, 0);
		totals_end_process(totals, pid, NULL);
	}
	ck_assert_uint_eq(calls_of(totals, 1), 2);
	totals_end_process(totals, 1, NULL);
	totals_clear(totals);
	ck_assert_uint_eq(calls_of(totals, 0), 0);
	add(totals, 7, 7, 1, 10, 0);
	totals_end_process(totals, 7, NULL);
	ck_assert_uint_eq(calls_of(totals, 0), 1);
	totals_free(totals);
}
END_TEST

/* -- Totals of the reader -------------------------------------------------------------------- */

static void see_sum(void *ctx, uint32_t pid, uint32_t tid, uint32_t nr,
		    const struct totals_cell *cell)
{
	uint64_t *calls = ctx;

	ck_assert_uint_eq(pid | tid, 0);
	calls[nr] = cell->calls;
}

/* However often totals are taken, the sums are those of totals that are never taken. */
START_TEST(absorbed_totals_add_up)
{
	struct totals *all = totals_new(), *taken = totals_new(), *whole = totals_new();
	struct totals_process process;
	uint64_t calls[4] = { 0 };
	unsigned seed = 7;

	for (int i = 0; i < 20000; i++) {
		uint32_t pid = 1 + (seed >> 16) % 5, tid = pid * 10 + (seed >> 20) % 3;
		uint16_t nr = (uint16_t)((seed >> 8) % 4);
		int64_t ns = 1 + (int64_t)(seed % 5000);

		seed = seed * 1103515245u + 12345u;
		add(taken, pid, tid, nr, ns, seed % 9 ? 0 : -11);
		add(whole, pid, tid, nr, ns, seed % 9 ? 0 : -11);
		if (seed % 777 == 0) {
			totals_absorb(all, taken, 2);
			ck_assert_uint_eq(totals_cells(taken), 0);
			ck_assert_uint_eq(calls_of(taken, 0), 0);
		}
	}
	totals_absorb(all, taken, 2);
	ck_assert_uint_eq(totals_cells(all), totals_cells(whole));
	totals_syscalls(all, see_sum, calls);
	ck_assert_uint_eq(calls[0] + calls[1] + calls[2] + calls[3], 20000);
	for (uint16_t nr = 0; nr < 4; nr++)
		ck_assert_uint_eq(calls[nr], look(whole, 0, 0, nr).nr_calls);
	for (uint32_t pid = 1; pid <= 5; pid++) {
		struct totals_digest digest;
		struct totals_cell sum;

		totals_cell_init(&sum);
		totals_sum(whole, pid, &sum);
		totals_digest_make(&digest, &sum);
		ck_assert(totals_process(all, pid, &process));
		ck_assert_uint_eq(process.sum->calls, sum.calls);
		ck_assert_uint_eq(process.sum->errors, sum.errors);
		ck_assert_uint_eq(process.sum->total_ns, sum.total_ns);
		ck_assert_uint_eq(process.sum->blocked_ns, sum.blocked_ns);
		ck_assert_uint_eq(process.sum->min_ns, sum.min_ns);
		ck_assert_uint_eq(process.sum->max_ns, sum.max_ns);
		ck_assert_mem_eq(process.digest, &digest, sizeof(digest));
		ck_assert_uint_eq(calls_of(all, pid), sum.calls);
		totals_cell_release(&sum);
	}
	ck_assert(!totals_process(all, 6, &process));
	/* The digest of a changed process is computed again. */
	add(taken, 1, 10, 0, 900000, 0);
	totals_absorb(all, taken, 2);
	ck_assert(totals_process(all, 1, &process));
	ck_assert_uint_eq(process.digest->histogram[5] + process.digest->histogram[6], 1);
	totals_free(all);
	totals_free(taken);
	totals_free(whole);
}
END_TEST

START_TEST(periods_count_the_calls_of_each)
{
	static const struct {
		uint32_t period;
		int calls;
		uint64_t last;
	} steps[] = {
		{ 2, 5, 0 }, { 2, 3, 0 }, { 3, 1, 8 }, { 3, 0, 8 }, { 4, 0, 1 },  { 5, 0, 0 },
		{ 6, 2, 0 }, { 8, 4, 0 }, { 9, 0, 4 }, { 9, 1, 4 }, { 10, 1, 1 },
	};
	struct totals *all = totals_new(), *taken = totals_new();

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		struct totals_process process;

		for (int n = 0; n < steps[i].calls; n++)
			add(taken, 1, 1, (uint16_t)n, 10, 0);
		totals_absorb(all, taken, steps[i].period);
		ck_assert(totals_process(all, 1, &process));
		ck_assert_msg(totals_cell_last(process.sum, steps[i].period) == steps[i].last,
			      "step %zu: %lu", i,
			      (unsigned long)totals_cell_last(process.sum, steps[i].period));
	}
	totals_free(all);
	totals_free(taken);
}
END_TEST

/* Ended processes of one name become one row; other and spared processes keep their rows. */
START_TEST(ended_processes_are_folded_by_name)
{
	const struct totals_label storm = { .comm_id = 3, .name_id = 3, .parent_pid = 7 };
	const struct totals_label other = {
		.comm_id = 4, .name_id = 4, .parent_pid = 9, .ns_pid = 2
	};
	struct totals *all = totals_new(), *taken = totals_new();
	struct totals_process group, process;

	for (uint32_t pid = 1000; pid < 6000; pid++) {
		bool is_other = pid % 1000 == 0;

		add(taken, pid, pid, 1, 10, 0);
		add(taken, pid, pid, 2, 10, 0);
		totals_end_thread(taken, pid, pid);
		totals_end_process(taken, pid, is_other ? &other : &storm);
		if (pid % 60)
			continue;
		totals_absorb(all, taken, 2);
		totals_fold(all, 16, 256, 1234);
		ck_assert_uint_le(totals_ended(all), 16 + 6 + 1);
	}
	totals_absorb(all, taken, 2);
	totals_fold(all, 16, 256, 1234);
	ck_assert_uint_le(totals_cells(all), 2 + 2 * (5 + 1));
	ck_assert_uint_eq(calls_of(all, 0), 10000);
	ck_assert(totals_process(all, TOTALS_GROUP_PID + 3, &group));
	ck_assert_uint_eq(group.folded, 4995 - 1);
	ck_assert_uint_eq(group.sum->calls, 2 * 4994);
	ck_assert(group.ended && group.label.comm_id == 3 && group.label.parent_pid == 7);
	ck_assert(totals_process(all, 1234, &process) && !process.folded);
	for (uint32_t pid = 1000; pid < 6000; pid += 1000) {
		ck_assert(totals_process(all, pid, &process));
		ck_assert(process.ended && process.label.comm_id == 4);
		ck_assert(process.label.parent_pid == 9 && process.label.ns_pid == 2);
	}
	ck_assert(!totals_process(all, 1001, &process));
	/* A process can end long after its sums were taken. One without sums leaves no entry. */
	add(taken, 8000, 8000, 1, 10, 0);
	totals_absorb(all, taken, 2);
	totals_end_thread(taken, 8000, 8000);
	totals_end_process(taken, 8000, &storm);
	totals_end_process(taken, 8001, &storm);
	totals_absorb(all, taken, 2);
	ck_assert(totals_process(all, 8000, &process) && process.ended);
	ck_assert(!totals_process(all, 8001, &process));
	totals_fold(all, 16, 256, 1234);
	ck_assert(!totals_process(all, 8000, &process));
	ck_assert(totals_process(all, TOTALS_GROUP_PID + 3, &group));
	ck_assert_uint_eq(group.folded, 4995);
	/* A live process reuses the pid. */
	add(taken, 1001, 1001, 1, 10, 0);
	totals_absorb(all, taken, 2);
	ck_assert(totals_process(all, 1001, &process) && !process.ended);
	ck_assert_uint_eq(process.sum->calls, 1);
	totals_free(all);
	totals_free(taken);
}
END_TEST

/* A group of one name keeps its identities apart, up to a bound. */
START_TEST(a_group_has_owners)
{
	struct totals *all = totals_new(), *taken = totals_new();
	uint32_t owners[TOTALS_GROUP_OWNERS + 2];
	struct totals_process group;

	for (uint32_t pid = 1000; pid < 2000; pid++) {
		struct totals_label label = { .comm_id = pid % 2 ? 5 : 6, .name_id = 3 };

		if (pid >= 1900)
			label.comm_id = pid;
		add(taken, pid, pid, 1, 10, 0);
		totals_end_process(taken, pid, &label);
		if (pid == 1899 || pid == 1999) {
			/* Fold before the take, as with a slow reader. */
			totals_fold(taken, 0, 0, 0);
			totals_absorb(all, taken, 2);
		}
		if (pid == 1899)
			ck_assert_uint_eq(totals_group_owners(all, TOTALS_GROUP_PID + 3, owners,
							      TOTALS_GROUP_OWNERS + 2),
					  2);
	}
	ck_assert(totals_process(all, TOTALS_GROUP_PID + 3, &group));
	ck_assert_uint_eq(group.folded, 1000);
	ck_assert_uint_eq(group.sum->calls, 1000);
	ck_assert_uint_eq(group.label.comm_id, 3);
	ck_assert_uint_le(
		totals_group_owners(all, TOTALS_GROUP_PID + 3, owners, TOTALS_GROUP_OWNERS + 2),
		TOTALS_GROUP_OWNERS + 1);
	ck_assert_uint_eq(look(all, TOTALS_GROUP_PID + 3, 5, 1).tid_calls, 450);
	ck_assert_uint_eq(calls_of(all, 0), 1000);
	totals_free(all);
	totals_free(taken);
}
END_TEST

/* The bound holds for any number of names. */
START_TEST(names_of_ended_processes_are_bounded)
{
	struct totals *all = totals_new(), *taken = totals_new();
	struct totals_process process;
	size_t groups = 0;

	for (uint32_t pid = 1; pid <= 40000; pid++) {
		struct totals_label label = { .comm_id = pid, .name_id = pid };

		add(taken, pid, pid, 1, 10, 0);
		totals_end_process(taken, pid, &label);
		if (pid % 100)
			continue;
		totals_absorb(all, taken, 2);
		totals_fold(all, 16, 256, 0);
	}
	ck_assert_uint_le(totals_ended(all), 256);
	for (uint32_t pid = 1; pid <= 40000; pid++)
		groups += totals_has(all, TOTALS_GROUP_PID + pid);
	ck_assert_uint_eq(groups, TOTALS_GROUPS);
	ck_assert(totals_process(all, TOTALS_ENDED_PID, &process));
	ck_assert_uint_eq(process.folded, 40000 - 256 - totals_ended(all));
	ck_assert_uint_eq(process.label.comm_id, 0);
	ck_assert_uint_eq(calls_of(all, 0), 40000);
	totals_free(all);
	totals_free(taken);
}
END_TEST

Suite *suite_totals(void);
Suite *suite_totals(void)
{
	Suite *suite = suite_create("totals");
	TCase *tests = tcase_create("totals");

	tcase_set_timeout(tests, 20);
	tcase_add_test(tests, errors_are_counted_by_number);
	tcase_add_test(tests, a_cell_sums_up_its_calls);
	tcase_add_test(tests, unknown_waits_are_counted);
	tcase_add_test(tests, quantiles_stay_between_the_shortest_and_the_longest);
	tcase_add_test(tests, only_returned_calls_are_counted);
	tcase_add_test(tests, each_thread_and_call_has_its_cell);
	tcase_add_test(tests, invalid_call_numbers_share_a_cell);
	tcase_add_test(tests, short_processes_keep_their_totals);
	tcase_add_test(tests, many_ended_threads_are_folded_and_nothing_is_lost);
	tcase_add_test(tests, few_ended_threads_keep_their_identity);
	tcase_add_test(tests, a_thread_with_further_calls_has_not_ended);
	tcase_add_test(tests, very_many_ended_processes_are_folded);
	tcase_add_test(tests, a_reused_pid_is_not_folded);
	tcase_add_test(tests, absorbed_totals_add_up);
	tcase_add_test(tests, periods_count_the_calls_of_each);
	tcase_add_test(tests, ended_processes_are_folded_by_name);
	tcase_add_test(tests, a_group_has_owners);
	tcase_add_test(tests, names_of_ended_processes_are_bounded);
	suite_add_tcase(suite, tests);
	return suite;
}
