#include "engine/model/model.h"

#include "tests/unit/records.h"
#include "tests/unit/runner.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#define SMALL HISTORY_BYTES_MIN

static struct model *make_model(const struct model_options *options)
{
	struct model *model = NULL;
	struct err err;

	ck_assert_int_eq(model_new(&model, options, &err), 0);
	model_lock(model);
	return model;
}

static void free_model(struct model *model)
{
	model_unlock(model);
	model_free(model);
}

static struct model *small_model(void)
{
	return make_model(&(struct model_options){ .history_bytes = SMALL });
}

static void feed(struct model *model, struct record record)
{
	model_feed(model, &record);
}

/* Feed a whole call of thread tid that returns ret. */
static void call(struct model *model, uint64_t time_ns, uint32_t tid, uint32_t nr, int64_t ret)
{
	feed(model, record_enter(time_ns, tid, nr, 0));
	feed(model, record_exit(time_ns + 5, tid, nr, ret));
}

static struct model_status status_of(const struct model *model)
{
	struct model_status status;

	model_status(model, &status);
	return status;
}

static uint64_t calls_in(const struct totals *totals)
{
	struct totals_cell sum;
	uint64_t calls;

	totals_cell_init(&sum);
	totals_sum(totals, 0, &sum);
	calls = sum.calls;
	totals_cell_release(&sum);
	return calls;
}

static enum model_answer match_failed(void *ctx, const struct call *one, const struct model *model)
{
	(void)ctx;
	(void)model;
	return call_failed(one);
}

static enum model_answer match_nr(void *ctx, const struct call *one, const struct model *model)
{
	(void)model;
	return one->nr == *(const uint32_t *)ctx;
}

START_TEST(without_a_filter_both_totals_are_one)
{
	struct model *model = small_model();
	struct model_status status;

	call(model, 10, 7, SYS_read, 1);
	call(model, 20, 8, SYS_read, -2);
	ck_assert_ptr_eq(model_totals(model), model_totals_all(model));
	ck_assert_uint_eq(calls_in(model_totals(model)), 2);
	ck_assert_uint_eq(history_end(model_history(model)), 2);
	status = status_of(model);
	ck_assert_uint_eq(status.calls_seen, 2);
	ck_assert_uint_eq(status.calls_matched, 2);
	ck_assert_uint_eq(status.last_record_ns, 25);
	ck_assert(!status.refilling);
	free_model(model);
}
END_TEST

START_TEST(a_filter_selects_history_and_totals)
{
	struct model *model = small_model();
	struct model_status status;

	model_set_match(model, match_failed, NULL);
	for (int i = 0; i < 30; i++)
		call(model, 10 + (uint64_t)i * 10, 7, SYS_read, i % 3 ? i : -2);
	status = status_of(model);
	ck_assert_uint_eq(status.calls_seen, 30);
	ck_assert_uint_eq(status.calls_matched, 10);
	ck_assert_uint_eq(calls_in(model_totals(model)), 10);
	ck_assert_uint_eq(calls_in(model_totals_all(model)), 30);
	ck_assert_uint_eq(history_end(model_history(model)), 10);
	for (uint64_t seq = 0; seq < 10; seq++)
		ck_assert_int_eq(kept_call(model_history(model), seq).ret, -2);
	/* Without a filter, all calls count again. */
	model_set_match(model, NULL, NULL);
	ck_assert_uint_eq(calls_in(model_totals(model)), 30);
	ck_assert_uint_eq(status_of(model).calls_matched, 30);
	ck_assert(!status_of(model).refilling);
	free_model(model);
}
END_TEST

START_TEST(refilling_while_feeding_counts_each_call_once)
{
	/* Refill in chunks of many sizes, among calls that match and calls that do not. */
	for (size_t chunk = 1; chunk < 40; chunk += 3) {
		struct model *model = small_model();
		uint32_t wanted = SYS_read;
		uint64_t time_ns = 10, reads = 0, done = 0;

		for (int i = 0; i < 200; i++, time_ns += 10) {
			call(model, time_ns, 7, i % 3 ? SYS_write : SYS_read, i);
			reads += i % 3 == 0;
		}
		model_set_match(model, match_nr, &wanted);
		ck_assert(status_of(model).refilling);
		ck_assert_uint_eq(status_of(model).refill_done, 0);
		ck_assert_uint_eq(status_of(model).refill_all, 200);
		ck_assert_uint_eq(calls_in(model_totals(model)), 0);
		while (model_refill(model, chunk)) {
			call(model, time_ns, 7, SYS_read, 1);
			call(model, time_ns + 10, 8, SYS_write, 1);
			time_ns += 20;
			reads++;
			ck_assert_uint_le(calls_in(model_totals(model)), reads);
			ck_assert_uint_gt(status_of(model).refill_done, done);
			done = status_of(model).refill_done;
		}
		ck_assert_uint_eq(status_of(model).refill_all, 0);
		call(model, time_ns, 7, SYS_read, 1);
		reads++;
		ck_assert(!model_refill(model, chunk));
		ck_assert_uint_eq(calls_in(model_totals(model)), reads);
		ck_assert_uint_eq(status_of(model).calls_matched, reads);
		ck_assert(!status_of(model).refilling);
		free_model(model);
	}
}
END_TEST

START_TEST(refilling_continues_when_history_is_overwritten)
{
	struct model *model = small_model();
	struct history *history = model_history(model);
	uint64_t time_ns = 10, kept;
	uint32_t wanted = SYS_read;

	for (int i = 0; !history_first(history); i++, time_ns += 10)
		call(model, time_ns, 7, SYS_read, i);
	kept = history_end(history) - history_first(history);
	model_set_match(model, match_nr, &wanted);
	ck_assert(model_refill(model, 10));
	for (uint64_t first = history_first(history); history_first(history) == first;
	     time_ns += 10) {
		call(model, time_ns, 7, SYS_read, 1);
		kept++;
	}
	while (model_refill(model, 100))
		;
	/* Calls that are evicted before their refill are not counted; ten were refilled earlier. */
	ck_assert_uint_gt(kept + 10, history_end(history) - history_first(history));
	ck_assert_uint_eq(calls_in(model_totals(model)),
			  history_end(history) - history_first(history) + 10);
	free_model(model);
}
END_TEST

START_TEST(gaps_are_not_calls)
{
	struct model *model = small_model();
	uint32_t wanted = SYS_read;
	struct call gap;
	struct model_status status;

	model_set_match(model, match_nr, &wanted);
	call(model, 10, 7, SYS_read, 1);
	feed(model, record_lost(20, 3, 1234));
	feed(model, record_lost(21, 70000, 1));
	feed(model, record_gap(30));
	gap = kept_call(model_history(model), 1);
	ck_assert_int_eq(gap.state, CALL_GAP);
	ck_assert_uint_eq(gap.enter_ns, 20);
	ck_assert_uint_eq(gap.args[0], 1234);
	ck_assert_uint_eq(gap.cpu, 3);
	ck_assert_uint_eq(kept_call(model_history(model), 3).args[0], 0);
	ck_assert_uint_eq(history_end(model_history(model)), 4);
	status = status_of(model);
	ck_assert_uint_eq(status.gaps, 3);
	ck_assert_uint_eq(status.records_lost, 1235);
	ck_assert_uint_eq(status.calls_seen, 1);
	ck_assert_uint_eq(model_lost_on(model, 3), 1234);
	ck_assert_uint_eq(model_lost_on(model, 2), 0);
	ck_assert_uint_eq(model_lost_on(model, 4), 0);
	model_set_match(model, match_nr, &wanted);
	while (model_refill(model, 1))
		;
	ck_assert_uint_eq(calls_in(model_totals(model)), 1);
	ck_assert_uint_eq(status_of(model).calls_matched, 1);
	free_model(model);
}
END_TEST

/* Every place that shows losses uses this sum over all kinds. */
START_TEST(losses_of_every_kind_are_summed)
{
	static const struct {
		int kind;
		uint64_t losses;
	} cases[] = {
		{ LOSS_OF_ANYTHING, 100 },
		{ LOSS_OTHER, 100 },
		{ LOSS_OF_EVENTS, 100 },
		{ LOSS_OF_STREAM, 0 }, /* counted in aggregates */
	};
	struct model *model = small_model();
	struct model_status status;
	uint64_t losses = 0;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct record lost = record_lost(10 + i, 1, 100);

		lost.lost.kind = cases[i].kind;
		feed(model, lost);
		status = status_of(model);
		losses += cases[i].losses;
		ck_assert_uint_eq(model_status_losses(&status), losses);
	}
	status.calls_unmatched = 7;
	ck_assert_uint_eq(model_status_losses(&status), losses + 7);
	free_model(model);
}
END_TEST

START_TEST(zero_starts_the_totals_over_and_keeps_the_history)
{
	struct model *model = small_model();
	uint32_t wanted = SYS_read;

	for (uint64_t i = 0; i < 50; i++)
		call(model, 10 + i * 10, 7, SYS_read, 1);
	model_set_match(model, match_nr, &wanted);
	ck_assert(model_refill(model, 10));
	model_zero(model);
	ck_assert(!status_of(model).refilling);
	ck_assert(!model_refill(model, 10));
	ck_assert_uint_eq(calls_in(model_totals(model)), 0);
	ck_assert_uint_eq(calls_in(model_totals_all(model)), 0);
	ck_assert_uint_eq(history_end(model_history(model)), 50);
	ck_assert_uint_eq(status_of(model).calls_matched, 0);
	call(model, 1000, 7, SYS_read, 1);
	ck_assert_uint_eq(calls_in(model_totals(model)), 1);
	ck_assert_uint_eq(calls_in(model_totals_all(model)), 1);
	/* Another filter does not bring back calls from before the reset. */
	model_set_match(model, match_nr, &wanted);
	while (model_refill(model, 10))
		;
	ck_assert_uint_eq(calls_in(model_totals(model)), 1);
	free_model(model);
}
END_TEST

START_TEST(each_outcome_is_counted)
{
	struct model *model = small_model();
	struct model_status status;

	call(model, 10, 7, SYS_read, 1);
	feed(model, record_exit(20, 7, SYS_read, 1)); /* orphan */
	feed(model, record_enter(30, 7, SYS_read, 1));
	feed(model, record_exit(31, 7, SYS_write, 1)); /* lost exit and orphan */
	feed(model, record_enter(40, 7, SYS_exit, 1));
	ck_assert_uint_eq(status_of(model).in_flight, 1);
	feed(model, record_task_exit(50, 7)); /* ended */
	feed(model, record_exit(60, 9, SYS_read, 1)); /* entered before collection */
	status = status_of(model);
	ck_assert_uint_eq(status.in_flight, 0);
	ck_assert_uint_eq(status.orphans, 2);
	ck_assert_uint_eq(status.lost_exits, 1);
	ck_assert_uint_eq(status.calls_seen, 5);
	/* The history has all calls, the totals only those that returned. */
	ck_assert_uint_eq(history_end(model_history(model)), 5);
	ck_assert_uint_eq(calls_in(model_totals(model)), 3);
	free_model(model);
}
END_TEST

START_TEST(an_exit_after_a_new_filter_is_not_an_orphan)
{
	struct model *model = small_model();
	uint64_t later = 1000000000;

	call(model, 10, 7, SYS_read, 1);
	/* The new filter passes more calls: this is the exit of a call whose enter was dropped. */
	model_set_match(model, NULL, NULL);
	feed(model, record_exit(20, 7, SYS_poll, 0));
	ck_assert_uint_eq(status_of(model).orphans, 0);
	/* Much later, such an exit is an orphan. */
	call(model, later, 7, SYS_read, 1);
	feed(model, record_exit(later + 10, 7, SYS_poll, 0));
	ck_assert_uint_eq(status_of(model).orphans, 1);
	free_model(model);
}
END_TEST

START_TEST(the_generation_changes_with_the_model)
{
	struct model *model = small_model();
	uint64_t generation = status_of(model).generation;
	const struct record records[] = {
		record_enter(10, 7, SYS_read, 0),
		record_exit(11, 7, SYS_read, -512),
		record_comm(12, 7, "x", false),
		record_lost(13, 0, 1),
	};

	for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++) {
		model_feed(model, &records[i]);
		ck_assert_msg(status_of(model).generation != generation, "record %zu", i);
		generation = status_of(model).generation;
	}
	model_settle(model, 20);
	ck_assert_uint_eq(status_of(model).generation, generation);
	model_settle(model, UINT64_MAX);
	ck_assert_uint_ne(status_of(model).generation, generation);
	free_model(model);
}
END_TEST

/* -- Stacks -------------------------------------------------------------------- */

static uint32_t intern_first(void *ctx, const struct record *record,
			     const struct record_stack *stack)
{
	++*(int *)ctx;
	(void)record;
	return (uint32_t)stack->ips[0];
}

START_TEST(stacks_are_interned_where_they_are_used)
{
	static const uint64_t blocked[] = { 55 }, waker[] = { 66 };
	int interned = 0;
	struct model *model = make_model(&(struct model_options){
		.history_bytes = SMALL, .intern = intern_first, .intern_ctx = &interned });
	struct record out = record_switch_out(20, 7, false), wake = record_waking(30, 42, 7);
	struct call one;

	out.switch_out.stack = (struct record_stack){ .ips = blocked, .count = 1 };
	wake.waking.stack = (struct record_stack){ .ips = waker, .count = 1 };
	model_feed(model, &out);
	model_feed(model, &wake);
	ck_assert_int_eq(interned, 0);
	feed(model, record_enter(10, 7, SYS_read, 0));
	model_feed(model, &wake);
	ck_assert_int_eq(interned, 0);
	model_feed(model, &out);
	model_feed(model, &wake);
	feed(model, record_switch_in(40, 7));
	feed(model, record_switch_out(45, 7, false));
	feed(model, record_switch_in(46, 7));
	feed(model, record_exit(50, 7, SYS_read, 0));
	ck_assert_int_eq(interned, 2);
	one = kept_call(model_history(model), 0);
	ck_assert_uint_eq(one.stack_id, 55);
	ck_assert_uint_eq(one.blocked_ns, 11);
	ck_assert_uint_eq(one.runnable_ns, 10);
	/* The last wait has no waking. */
	ck_assert_int_eq(one.waker_kind, WAKER_NONE);
	free_model(model);
}
END_TEST

/* -- The lossless reader ---------------------------------------------------------- */

START_TEST(a_lossless_reader_gets_every_call)
{
	struct model *model = make_model(
		&(struct model_options){ .history_bytes = SMALL, .hold_for_reader = true });
	struct history *history = model_history(model);
	uint64_t put = 0, read = 0, time_ns = 10;
	unsigned seed = 5;

	while (put < 20000) {
		/* As in the collector: feed only if there is room for the calls that can finish. */
		if (model_room(model) >= 8) {
			call(model, time_ns, 7, SYS_read, (int64_t)put++);
			time_ns += 10;
		}
		if (model_room(model) >= 8 && rand_r(&seed) % 100)
			continue;
		for (int i = rand_r(&seed) % 2000; i > 0 && read < history_end(history); i--) {
			ck_assert_int_eq(kept_call(history, read).ret, (int64_t)read);
			history_hold(history, ++read);
		}
	}
	ck_assert_uint_gt(history_first(history), 0);
	ck_assert_uint_ge(read, history_first(history));
	free_model(model);
}
END_TEST

START_TEST(room_is_reserved_for_held_restarts)
{
	struct model *model = make_model(
		&(struct model_options){ .history_bytes = SMALL, .hold_for_reader = true });
	uint32_t tid = 1;

	while (model_room(model) >= 8) {
		feed(model, record_enter(tid * 10, tid, SYS_read, 0));
		feed(model, record_exit(tid * 10 + 1, tid, SYS_read, -512));
		tid++;
	}
	ck_assert_uint_eq(history_end(model_history(model)), 0);
	/* Settling all calls at once loses none. */
	model_settle(model, UINT64_MAX);
	ck_assert_uint_eq(history_end(model_history(model)), tid - 1);
	ck_assert_uint_eq(history_first(model_history(model)), 0);
	free_model(model);
}
END_TEST

START_TEST(an_interrupted_call_keeps_its_bytes)
{
	struct model *model = make_model(&(struct model_options){
		.history_bytes = SMALL, .pointed_bytes = HISTORY_POINTED_MIN });
	struct history *history = model_history(model);
	struct record part = record_call(10, 15, 7, SYS_nanosleep, 1, -516);
	struct record whole = record_call(20, 25, 8, SYS_nanosleep, 1, 0);
	struct call put;
	size_t len = 0;

	part.call.bytes = (struct record_bytes){ .chunks = "what is left", .len = 12 };
	feed(model, part);
	whole.call.bytes = (struct record_bytes){ .chunks = "another", .len = 7 };
	feed(model, whole);
	model_settle(model, UINT64_MAX);
	for (uint64_t seq = history_first(history); seq < 2; seq++) {
		ck_assert(history_get(history, seq, &put));
		if (put.tid != 7)
			continue;
		ck_assert_int_eq(put.ret, -516);
		ck_assert_mem_eq(history_bytes(history, &put, &len), "what is left", 12);
		ck_assert_uint_eq(len, 12);
	}
	ck_assert_uint_eq(len, 12);
	free_model(model);
}
END_TEST

START_TEST(without_a_reader_there_is_always_room)
{
	struct model *model = small_model();

	for (uint64_t i = 0; i < 5000; i++)
		call(model, 10 + i * 10, 7, SYS_read, 1);
	ck_assert_uint_eq(model_room(model), SIZE_MAX);
	free_model(model);
}
END_TEST

START_TEST(a_history_too_large_to_allocate_is_an_error)
{
	struct model *model = NULL;
	struct err err;

	ck_assert_int_eq(
		model_new(&model, &(struct model_options){ .history_bytes = SIZE_MAX / 2 }, &err),
		-ENOMEM);
	ck_assert_ptr_null(model);
	ck_assert_ptr_nonnull(strstr(err.text, "history"));
}
END_TEST

/* -- Many processes ------------------------------------------------------------- */

START_TEST(short_lived_processes_keep_their_sums_and_names)
{
	struct model *model = small_model();
	uint64_t time_ns = 10;

	feed(model, record_task(1, 1, 1, "init"));
	for (uint32_t pid = 100; pid < 300; pid++, time_ns += 1000) {
		char name[16];

		snprintf(name, sizeof(name), "child%u", pid);
		feed(model, record_fork(time_ns, 1, pid, pid));
		feed(model, record_exit(time_ns + 1, pid, SYS_clone, 0));
		feed(model, record_comm(time_ns + 2, pid, name, true));
		for (uint32_t n = 0; n < pid % 7 + 1; n++)
			call(model, time_ns + 10 + n * 10, pid, SYS_read, 1);
		feed(model, record_enter(time_ns + 500, pid, SYS_exit_group, 0));
		feed(model, record_task_exit(time_ns + 600, pid));
	}
	for (uint32_t pid = 100; pid < 300; pid++) {
		const struct process *process = tasks_process(model_tasks(model), pid);
		struct totals_cell sum;
		char name[16];

		totals_cell_init(&sum);
		totals_sum(model_totals(model), pid, &sum);
		ck_assert_msg(sum.calls == pid % 7 + 1, "process %u: %lu calls", pid,
			      (unsigned long)sum.calls);
		totals_cell_release(&sum);
		snprintf(name, sizeof(name), "child%u", pid);
		ck_assert_str_eq(model_name(model, process->comm_id), name);
		ck_assert(process->ended);
		ck_assert_uint_eq(process->parent_pid, 1);
	}
	ck_assert_uint_eq(status_of(model).orphans, 0);
	free_model(model);
}
END_TEST

static enum model_answer match_all(void *ctx, const struct call *one, const struct model *model)
{
	(void)ctx;
	(void)one;
	(void)model;
	return true;
}

START_TEST(a_fork_bomb_stays_bounded_and_counted)
{
	const uint32_t count = 4 * TOTALS_ENDED_PROCESSES;
	struct model *model =
		make_model(&(struct model_options){ .history_bytes = 64 * TOTALS_ENDED_PROCESSES });
	struct history *history = model_history(model);
	uint64_t time_ns = 10;

	model_set_match(model, match_all, NULL);
	for (uint32_t pid = 100; pid < 100 + count; pid++, time_ns += 100) {
		feed(model, record_fork(time_ns, 1, pid, pid));
		call(model, time_ns + 10, pid, SYS_read, 1);
		feed(model, record_task_exit(time_ns + 60, pid));
		if (pid % 1000 == 0)
			model_settle(model, time_ns);
	}
	ck_assert_uint_eq(calls_in(model_totals(model)), count);
	ck_assert_uint_eq(calls_in(model_totals_all(model)), count);
	ck_assert(totals_has(model_totals(model), TOTALS_ENDED_PID));
	ck_assert(totals_has(model_totals_all(model), TOTALS_ENDED_PID));
	ck_assert_uint_le(tasks_ended_processes(model_tasks(model)),
			  TASKS_ENDED_PROCESSES_MAX + 1000);
	/* The history has only the last calls, whose processes ended long ago. */
	ck_assert_uint_gt(history_first(history), 0);
	model_set_match(model, match_all, NULL);
	ck_assert(!totals_has(model_totals(model), TOTALS_ENDED_PID));
	while (model_refill(model, 1000))
		;
	ck_assert_uint_eq(calls_in(model_totals(model)),
			  history_end(history) - history_first(history));
	ck_assert(totals_has(model_totals(model), TOTALS_ENDED_PID));
	free_model(model);
}
END_TEST

/* Aggregates of a process can arrive after its end and still belong to it. */
START_TEST(aggregates_after_the_end_belong_to_the_ended_process)
{
	const uint32_t steps[HISTOGRAM_STEPS] = { 5 };
	struct record counted = { .kind = RECORD_AGGREGATE,
				  .pid = 200,
				  .time_ns = 900,
				  .aggregate = { .nr = SYS_read, .calls = 5, .steps = steps } };
	struct model *model = small_model();
	struct model_taken taken = { .all = totals_new(), .matched = totals_new() };

	feed(model, record_fork(10, 1, 200, 200));
	call(model, 20, 200, SYS_read, 1);
	feed(model, record_task_exit(100, 200));
	model_take_totals(model, &taken);
	ck_assert_uint_eq(totals_ended(taken.all), 1);
	ck_assert_uint_eq(model_untaken(model), 0);
	feed(model, counted);
	ck_assert_uint_eq(calls_in(model_totals(model)), 5);
	ck_assert_uint_eq(model_untaken(model), 1);
	totals_free(taken.all);
	totals_free(taken.matched);
	free_model(model);
}
END_TEST

/* -- Threads --------------------------------------------------------------------- */

#define RACE_CALLS 100000

static void *collect(void *arg)
{
	struct model *model = arg;

	for (uint64_t i = 0; i < RACE_CALLS; i++) {
		model_lock(model);
		call(model, 10 + i * 10, 1 + (uint32_t)(i % 50), SYS_read, 1);
		model_unlock(model);
	}
	return NULL;
}

START_TEST(totals_and_history_agree_while_fed)
{
	struct model *model = small_model();
	uint64_t calls = 0;
	pthread_t thread;

	model_unlock(model);
	ck_assert_int_eq(pthread_create(&thread, NULL, collect, model), 0);
	while (calls < RACE_CALLS) {
		uint64_t now;

		model_lock(model);
		now = calls_in(model_totals(model));
		ck_assert_uint_eq(now, status_of(model).calls_seen);
		ck_assert_uint_eq(now, history_end(model_history(model)));
		ck_assert_uint_ge(now, calls);
		calls = now;
		model_unlock(model);
	}
	pthread_join(thread, NULL);
	model_free(model);
}
END_TEST

Suite *suite_model(void);
Suite *suite_model(void)
{
	Suite *suite = suite_create("model");
	TCase *tests = tcase_create("model");

	tcase_set_timeout(tests, 30);
	tcase_add_test(tests, without_a_filter_both_totals_are_one);
	tcase_add_test(tests, a_filter_selects_history_and_totals);
	tcase_add_test(tests, losses_of_every_kind_are_summed);
	tcase_add_test(tests, refilling_while_feeding_counts_each_call_once);
	tcase_add_test(tests, refilling_continues_when_history_is_overwritten);
	tcase_add_test(tests, gaps_are_not_calls);
	tcase_add_test(tests, zero_starts_the_totals_over_and_keeps_the_history);
	tcase_add_test(tests, each_outcome_is_counted);
	tcase_add_test(tests, an_exit_after_a_new_filter_is_not_an_orphan);
	tcase_add_test(tests, the_generation_changes_with_the_model);
	tcase_add_test(tests, stacks_are_interned_where_they_are_used);
	tcase_add_test(tests, a_lossless_reader_gets_every_call);
	tcase_add_test(tests, room_is_reserved_for_held_restarts);
	tcase_add_test(tests, an_interrupted_call_keeps_its_bytes);
	tcase_add_test(tests, without_a_reader_there_is_always_room);
	tcase_add_test(tests, a_history_too_large_to_allocate_is_an_error);
	tcase_add_test(tests, short_lived_processes_keep_their_sums_and_names);
	tcase_add_test(tests, a_fork_bomb_stays_bounded_and_counted);
	tcase_add_test(tests, aggregates_after_the_end_belong_to_the_ended_process);
	tcase_add_test(tests, totals_and_history_agree_while_fed);
	suite_add_tcase(suite, tests);
	return suite;
}
