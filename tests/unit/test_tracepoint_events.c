/* Events of other tracepoints, from the record to the row. */
#include "engine/model/tracepoint_events.h"

#include "engine/model/model.h"
#include "tests/unit/records.h"
#include "tests/unit/runner.h"

#include <string.h>
#include <sys/syscall.h>

struct bench {
	struct event_names *names;
	struct model *model;
};

static void bench_init(struct bench *bench)
{
	struct model_options options = { .history_bytes = 256 << 10, .pointed_bytes = 1 << 20 };

	bench->names = event_names_new();
	ck_assert_int_eq(event_names_add(bench->names, "a:first"), 0);
	ck_assert_int_eq(event_names_add(bench->names, "a:second"), 1);
	options.event_names = bench->names;
	ck_assert_int_eq(model_new(&bench->model, &options, NULL), 0);
	model_lock(bench->model);
}

static void bench_release(struct bench *bench)
{
	model_unlock(bench->model);
	model_free(bench->model);
	event_names_free(bench->names);
}

static struct record event(uint64_t time_ns, uint32_t tid, uint32_t number, const char *bytes)
{
	return (struct record){ .time_ns = time_ns,
				.kind = RECORD_EVENT,
				.cpu = 3,
				.pid = tid,
				.tid = tid,
				.event = { number, { bytes, strlen(bytes), false } } };
}

static void feed(struct bench *bench, struct record record)
{
	model_feed(bench->model, &record);
}

static struct model_status status_of(const struct bench *bench)
{
	struct model_status status;

	model_status(bench->model, &status);
	return status;
}

START_TEST(an_event_is_a_row_but_not_a_call)
{
	struct bench bench;
	struct call row;
	const void *bytes;
	size_t len;

	bench_init(&bench);
	feed(&bench, record_task(1, 7, 7, "who"));
	feed(&bench, record_enter(10, 7, SYS_read, 0));
	feed(&bench, event(12, 7, 1, "fields"));
	feed(&bench, record_exit(15, 7, SYS_read, 5));
	ck_assert_uint_eq(history_end(model_history(bench.model)), 2);
	row = kept_call(model_history(bench.model), 0);
	ck_assert_int_eq(row.state, CALL_EVENT);
	ck_assert(!call_was_made(&row) && !call_failed(&row));
	ck_assert_uint_eq(row.enter_ns, 12);
	ck_assert_int_eq(row.dur_ns, -1);
	ck_assert(row.pid == 7 && row.tid == 7 && row.cpu == 3);
	ck_assert_str_eq(model_name(bench.model, row.comm_id), "who");
	ck_assert_str_eq(model_event_name(bench.model, &row), "a:second");
	bytes = history_bytes(model_history(bench.model), &row, &len);
	ck_assert(len == 6 && !memcmp(bytes, "fields", 6));
	/* The call around the event is complete. */
	row = kept_call(model_history(bench.model), 1);
	ck_assert(row.state == CALL_DONE && row.enter_ns == 10 && row.dur_ns == 5);
	ck_assert_ptr_null(model_event_name(bench.model, &row));
	ck_assert_uint_eq(status_of(&bench).calls_seen, 1);
	ck_assert_uint_eq(status_of(&bench).events_seen, 1);
	bench_release(&bench);
}
END_TEST

/* Events of a thread can follow its exit. They create no new thread. */
START_TEST(an_ended_thread_keeps_its_name)
{
	struct bench bench;
	const struct task *task;

	bench_init(&bench);
	feed(&bench, record_task(1, 7, 7, "who"));
	feed(&bench, record_task_exit(10, 7));
	feed(&bench, event(11, 7, 0, "x"));
	ck_assert_str_eq(model_name(bench.model, kept_call(model_history(bench.model), 0).comm_id),
			 "who");
	task = tasks_find(model_tasks(bench.model), 7);
	ck_assert(task && task->ended);
	/* The idle task is not in the model. */
	feed(&bench, event(12, 0, 0, "x"));
	ck_assert_str_eq(model_name(bench.model, kept_call(model_history(bench.model), 1).comm_id),
			 "swapper");
	ck_assert_ptr_null(tasks_find(model_tasks(bench.model), 0));
	bench_release(&bench);
}
END_TEST

static enum model_answer match_first(void *ctx, const struct call *one, const struct model *model)
{
	(void)ctx;
	(void)model;
	return one->state == CALL_EVENT && !one->args[0] ? MODEL_YES : MODEL_NO;
}

static void totals_are(const struct bench *bench, uint64_t first, uint64_t second)
{
	const struct events *events = model_events(bench->model);

	ck_assert_uint_eq(events->totals[0].matched, first);
	ck_assert_uint_eq(events->totals[1].matched, second);
	ck_assert_uint_eq(events->matched, first + second);
	ck_assert_uint_eq(status_of(bench).events_matched, first + second);
}

START_TEST(totals_follow_the_filter)
{
	struct bench bench;

	bench_init(&bench);
	for (uint64_t i = 0; i < 12; i++)
		feed(&bench, event(10 + i, 7, i % 3 == 0, "x"));
	totals_are(&bench, 8, 4);
	model_set_match(bench.model, match_first, NULL);
	while (model_refill(bench.model, 5))
		;
	totals_are(&bench, 8, 0);
	feed(&bench, event(100, 7, 0, "x"));
	feed(&bench, event(101, 7, 1, "x"));
	totals_are(&bench, 9, 0);
	ck_assert_uint_eq(history_end(model_history(bench.model)), 13);
	model_set_match(bench.model, NULL, NULL);
	totals_are(&bench, 9, 5);
	model_zero(bench.model);
	totals_are(&bench, 0, 0);
	ck_assert_uint_eq(status_of(&bench).events_seen, 0);
	feed(&bench, event(102, 7, 1, "x"));
	totals_are(&bench, 0, 1);
	bench_release(&bench);
}
END_TEST

START_TEST(lost_events_are_counted_apart)
{
	struct bench bench;
	struct record lost = record_lost(20, 1, 9);
	struct call row;

	bench_init(&bench);
	feed(&bench, record_enter(10, 7, SYS_read, 0));
	lost.lost.kind = LOSS_OF_EVENTS;
	feed(&bench, lost);
	ck_assert_uint_eq(status_of(&bench).events_lost, 9);
	ck_assert_uint_eq(status_of(&bench).records_lost, 0);
	ck_assert_uint_eq(status_of(&bench).records_other, 0);
	row = kept_call(model_history(bench.model), 0);
	ck_assert(row.state == CALL_GAP && row.args[0] == 9 && row.args[1] == LOSS_OF_EVENTS);
	/* Lost events do not affect the call in flight. */
	feed(&bench, record_exit(30, 7, SYS_read, 0));
	row = kept_call(model_history(bench.model), 1);
	ck_assert(row.state == CALL_DONE && row.dur_ns == 20);
	bench_release(&bench);
}
END_TEST

START_TEST(bytes_are_evicted_before_their_rows)
{
	struct bench bench;
	char big[4096];
	struct call row;
	size_t len;

	bench_init(&bench);
	memset(big, 'x', sizeof(big));
	big[sizeof(big) - 1] = '\0';
	feed(&bench, event(1, 7, 0, "first"));
	for (uint64_t i = 0; i < 2500; i++)
		feed(&bench, event(2 + i, 7, 0, big));
	row = kept_call(model_history(bench.model), 0);
	ck_assert_uint_eq(row.args[1], 5);
	ck_assert_ptr_null(history_bytes(model_history(bench.model), &row, &len));
	bench_release(&bench);
}
END_TEST

START_TEST(an_unknown_event_number_is_counted)
{
	struct bench bench;

	bench_init(&bench);
	feed(&bench, event(1, 7, UINT32_MAX, "x"));
	ck_assert_uint_eq(status_of(&bench).events_seen, 1);
	ck_assert_ptr_null(model_event_name(
		bench.model, &(struct call){ .state = CALL_EVENT, .args = { UINT32_MAX } }));
	bench_release(&bench);
}
END_TEST

/* Whether a recording has events is known only after it was opened. */
START_TEST(an_empty_history_makes_room_for_event_data)
{
	struct model_options options = { .history_bytes = 1 << 20 };
	struct record record = event(1, 7, 0, "fields");
	struct model *model;
	struct call row;
	size_t len;

	for (int shared = 0; shared < 2; shared++) {
		ck_assert_int_eq(model_new(&model, &options, NULL), 0);
		model_lock(model);
		if (shared)
			ck_assert_int_eq(model_share_history(model, 4, NULL), 0);
		model_feed(model, &record);
		row = kept_call(model_history(model), 0);
		ck_assert_int_eq(history_bytes(model_history(model), &row, &len) != NULL, shared);
		for (uint64_t i = 0; i < 100000; i++) {
			record.time_ns++;
			model_feed(model, &record);
		}
		ck_assert_uint_le(history_bytes_used(model_history(model)),
				  shared ? (1 << 20) * 3 / 4 + (8 << 10) : 1 << 20);
		model_unlock(model);
		model_free(model);
	}
}
END_TEST

Suite *suite_tracepoint_events(void);
Suite *suite_tracepoint_events(void)
{
	Suite *suite = suite_create("tracepoint_events");
	TCase *tests = tcase_create("all");

	tcase_add_test(tests, an_event_is_a_row_but_not_a_call);
	tcase_add_test(tests, an_ended_thread_keeps_its_name);
	tcase_add_test(tests, totals_follow_the_filter);
	tcase_add_test(tests, lost_events_are_counted_apart);
	tcase_add_test(tests, bytes_are_evicted_before_their_rows);
	tcase_add_test(tests, an_unknown_event_number_is_counted);
	tcase_add_test(tests, an_empty_history_makes_room_for_event_data);
	suite_add_tcase(suite, tests);
	return suite;
}
