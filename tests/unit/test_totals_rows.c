/* A query of rows changes neither the totals nor the tasks. */
#include "engine/totals_rows.h"

#include "tests/unit/records.h"
#include "tests/unit/runner.h"

#include <stdlib.h>
#include <sys/syscall.h>

#define ALIVE 77 /* pid of the only process that is not gone */

struct bed {
	struct model *model;
	struct totals_reader *reader;
	struct rows *rows;
	struct engine_row *result;
	size_t count;
};

static bool is_gone(void *ctx, uint32_t pid)
{
	(void)ctx;
	return pid != ALIVE;
}

static void bed_init(struct bed *bed, const struct model_options *options)
{
	*bed = (struct bed){ .rows = rows_new() };
	ck_assert_int_eq(model_new(&bed->model, options, NULL), 0);
	model_lock(bed->model);
	bed->reader = totals_reader_new(&(struct totals_reader_options){ .ended_per_name = SIZE_MAX,
									 .ended_most = SIZE_MAX });
}

static void bed_release(struct bed *bed)
{
	free(bed->result);
	rows_free(bed->rows);
	totals_reader_free(bed->reader);
	model_unlock(bed->model);
	model_free(bed->model);
}

static void feed(struct bed *bed, struct record record)
{
	model_feed(bed->model, &record);
}

static uint64_t ask(struct bed *bed)
{
	const struct rows_query query = { .kind = ROWS_PROCESSES };
	const struct rows_source source = { .model = bed->model, .reader = bed->reader };
	uint64_t calls = 0;

	model_take_totals(bed->model, totals_reader_taken(bed->reader));
	totals_reader_add(bed->reader, 1, 0);
	rows_begin(bed->rows, &query, &source);
	while (rows_look(bed->rows))
		continue;
	free(bed->result);
	bed->count = rows_finish(bed->rows, NULL, &bed->result);
	for (size_t i = 0; i < bed->count; i++)
		calls += bed->result[i].calls;
	return calls;
}

static const struct engine_row *row_of(const struct bed *bed, uint32_t pid)
{
	for (size_t i = 0; i < bed->count; i++)
		if (bed->result[i].pid == pid)
			return &bed->result[i];
	return NULL;
}

/* Each pid has a call of tid 7: the reuse of the tid ends the process before it. */
START_TEST(naming_rows_ends_no_process)
{
	struct bed bed;

	bed_init(&bed, &(struct model_options){ .history_bytes = 1 << 20 });
	for (uint32_t pid = 1000; pid < 6000; pid++) {
		feed(&bed, of_pid(record_enter(pid, 7, SYS_read, 0), pid));
		feed(&bed, of_pid(record_exit(pid, 7, SYS_read, 1), pid));
	}
	ck_assert_uint_eq(ask(&bed), 5000);
	ck_assert_uint_eq(bed.count, 5000);
	ck_assert(row_of(&bed, 1000)->ended && !row_of(&bed, 5999)->ended);
	/* The model applies the ends. */
	model_settle(bed.model, 6000);
	ck_assert_uint_eq(ask(&bed), 5000);
	ck_assert_uint_le(bed.count, TOTALS_ENDED_PROCESSES + 2);
	ck_assert(!row_of(&bed, 5999)->ended);
	bed_release(&bed);
}
END_TEST

static void feed_sums(struct bed *bed, uint32_t first, uint32_t count)
{
	const uint32_t steps[HISTOGRAM_STEPS] = { 5 };

	for (uint32_t pid = first; pid < first + count; pid++)
		for (uint32_t nr = 0; nr < 2; nr++)
			feed(bed, (struct record){
					  .kind = RECORD_AGGREGATE,
					  .time_ns = pid,
					  .pid = pid,
					  .aggregate = { .nr = nr, .calls = 5, .steps = steps } });
}

START_TEST(processes_known_by_their_sums_are_folded)
{
	struct bed bed;

	bed_init(&bed, &(struct model_options){ .history_bytes = 1 << 20, .is_gone = is_gone });
	feed_sums(&bed, ALIVE, 8000);
	ck_assert_uint_eq(ask(&bed), 80000);
	model_settle(bed.model, 40000);
	model_settle(bed.model, UINT64_MAX);
	ck_assert_uint_eq(ask(&bed), 80000);
	ck_assert_uint_le(bed.count, TOTALS_ENDED_NAMELESS + 2);
	ck_assert(!row_of(&bed, ALIVE)->ended);
	ck_assert_uint_eq(row_of(&bed, ALIVE)->calls, 10);
	ck_assert_uint_ge(row_of(&bed, TOTALS_ENDED_PID)->ended_processes, 7999 - 16);
	/* Records of a process arrive: it is one of the tasks from now on. */
	feed(&bed, record_task(50000, ALIVE, ALIVE, "known"));
	feed_sums(&bed, ALIVE, 1);
	feed(&bed, record_task_exit(50001, ALIVE));
	ck_assert_uint_eq(ask(&bed), 80010);
	ck_assert(row_of(&bed, ALIVE)->ended);
	ck_assert_str_eq(row_of(&bed, ALIVE)->name, "known");
	bed_release(&bed);
}
END_TEST

/* A recording cannot test pids: a few such processes keep their rows, many are folded. */
START_TEST(processes_of_a_recording_known_by_their_sums_are_bounded)
{
	struct bed bed;

	bed_init(&bed, &(struct model_options){ .history_bytes = 1 << 20 });
	feed_sums(&bed, ALIVE, 100);
	model_settle(bed.model, UINT64_MAX);
	ck_assert_uint_eq(ask(&bed), 1000);
	ck_assert_uint_eq(bed.count, 100);
	ck_assert(!row_of(&bed, ALIVE)->ended);
	feed_sums(&bed, 1000, 10000);
	model_settle(bed.model, UINT64_MAX);
	ck_assert_uint_eq(ask(&bed), 101000);
	ck_assert_uint_le(bed.count, 4096 + TOTALS_ENDED_NAMELESS + 1);
	bed_release(&bed);
}
END_TEST

Suite *suite_totals_rows(void);
Suite *suite_totals_rows(void)
{
	Suite *suite = suite_create("totals_rows");
	TCase *tests = tcase_create("all");

	tcase_set_timeout(tests, 20);
	tcase_add_test(tests, naming_rows_ends_no_process);
	tcase_add_test(tests, processes_known_by_their_sums_are_folded);
	tcase_add_test(tests, processes_of_a_recording_known_by_their_sums_are_bounded);
	suite_add_tcase(suite, tests);
	return suite;
}
