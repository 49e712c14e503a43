#include "engine/model/prefetch_queue.h"

#include "tests/unit/records.h"
#include "tests/unit/runner.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define RECORDS 60000
#define THREADS 700 /* with 60 different calls each: so many totals that records are delayed */

static struct model *make_model(void)
{
	struct model *model = NULL;
	struct err err;

	ck_assert_int_eq(
		model_new(&model, &(struct model_options){ .history_bytes = 4 << 20 }, &err), 0);
	model_lock(model);
	return model;
}

static void free_model(struct model *model)
{
	model_unlock(model);
	model_free(model);
}

static struct record random_record(uint64_t time_ns, unsigned *seed)
{
	uint32_t tid = 10 + (uint32_t)(rand_r(seed) % THREADS), nr = (uint32_t)(rand_r(seed) % 60);
	struct record record = record_enter(time_ns, tid, nr, (uint64_t)rand_r(seed));

	switch (rand_r(seed) % 20) {
	case 0:
		return record_switch_out(time_ns, tid, rand_r(seed) % 2);
	case 1:
		return record_switch_in(time_ns, tid);
	case 2:
		return rand_r(seed) % 20 ? record : record_task_exit(time_ns, tid);
	case 3:
		return rand_r(seed) % 20 ? record : record_lost(time_ns, 0, 3);
	case 4:
	case 5:
	case 6:
	case 7:
	case 8:
		return record_call(time_ns - 40, time_ns, tid, nr, (uint64_t)rand_r(seed),
				   rand_r(seed) % 10 - 5);
	case 9:
	case 10:
	case 11:
	case 12:
	case 13:
	case 14:
		return record_exit(time_ns, tid, nr, rand_r(seed) % 10 - 5);
	default:
		return record;
	}
}

static void add_cell(void *ctx, uint32_t pid, uint32_t tid, uint32_t nr,
		     const struct totals_cell *cell)
{
	uint64_t *sum = ctx;

	*sum += (pid ^ (uint64_t)tid << 7 ^ nr << 3) *
		(cell->calls * 31 + cell->total_ns * 7 + cell->errors * 3 + cell->max_ns);
}

static uint64_t totals_print(struct totals *totals)
{
	uint64_t sum = 0;

	totals_each(totals, add_cell, &sum);
	return sum;
}

static enum model_answer match_even(void *ctx, const struct call *call, const struct model *model)
{
	(void)ctx;
	(void)model;
	return call->tid % 2 == 0;
}

static void check_same(struct model *a, struct model *b)
{
	uint64_t end = history_end(model_history(a));
	struct model_status status_a, status_b;

	ck_assert_uint_eq(end, history_end(model_history(b)));
	for (uint64_t seq = history_first(model_history(a)); seq < end; seq++) {
		struct call one = kept_call(model_history(a), seq);
		struct call other = kept_call(model_history(b), seq);

		if (memcmp(&one, &other, sizeof(one)))
			ck_abort_msg("call %lu differs", (unsigned long)seq);
	}
	model_status(a, &status_a);
	model_status(b, &status_b);
	ck_assert_mem_eq(&status_a, &status_b, offsetof(struct model_status, refilling));
	ck_assert_uint_eq(totals_print(model_totals_all(a)), totals_print(model_totals_all(b)));
	ck_assert_uint_eq(totals_print(model_totals(a)), totals_print(model_totals(b)));
}

/* Records change a model in the same way directly and through the queue, even with flushes. */
START_TEST(the_queue_does_not_change_the_results)
{
	struct model *direct = make_model(), *through = make_model();
	static struct prefetch_queue prefetch_queue;
	uint64_t waited = 0;
	unsigned seed = 11;

	prefetch_queue_init(&prefetch_queue, through);
	for (uint64_t i = 0; i < RECORDS; i++) {
		struct record record = random_record(1000 + i * 10, &seed);

		if (i == RECORDS / 2) {
			prefetch_queue_flush(&prefetch_queue);
			model_set_match(direct, match_even, NULL);
			model_set_match(through, match_even, NULL);
		}
		model_feed(direct, &record);
		prefetch_queue_feed(&prefetch_queue, &record);
		waited += prefetch_queue.end - prefetch_queue.first;
		if (rand_r(&seed) % 500 == 0) {
			prefetch_queue_flush(&prefetch_queue);
			ck_assert_uint_eq(prefetch_queue.first, prefetch_queue.end);
			model_settle(direct, record.time_ns);
			model_settle(through, record.time_ns);
		}
		if (rand_r(&seed) % 10000 == 0) {
			prefetch_queue_flush(&prefetch_queue);
			model_zero(direct);
			model_zero(through);
		}
	}
	prefetch_queue_flush(&prefetch_queue);
	ck_assert_uint_gt(waited, RECORDS);
	check_same(direct, through);
	free_model(direct);
	free_model(through);
}
END_TEST

START_TEST(with_few_cells_records_are_not_delayed)
{
	struct model *model = make_model();
	static struct prefetch_queue prefetch_queue;
	struct record record;

	prefetch_queue_init(&prefetch_queue, model);
	for (uint64_t i = 0; i < 100; i++) {
		record = record_enter(1000 + i * 10, 7, 1, 0);
		prefetch_queue_feed(&prefetch_queue, &record);
		record = record_exit(1005 + i * 10, 7, 1, 0);
		prefetch_queue_feed(&prefetch_queue, &record);
		ck_assert_uint_eq(history_end(model_history(model)), i + 1);
	}
	free_model(model);
}
END_TEST

Suite *suite_prefetch_queue(void);
Suite *suite_prefetch_queue(void)
{
	Suite *suite = suite_create("prefetch_queue");
	TCase *tests = tcase_create("prefetch_queue");

	tcase_add_test(tests, the_queue_does_not_change_the_results);
	tcase_add_test(tests, with_few_cells_records_are_not_delayed);
	suite_add_tcase(suite, tests);
	return suite;
}
