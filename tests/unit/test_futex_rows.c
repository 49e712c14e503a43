#include "engine/futex_rows.h"

#include "engine/tasks/idle_waits.h"
#include "tests/unit/records.h"
#include "tests/unit/runner.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#define MS 1000000ULL
#define A 0x10000
#define B 0x20000
#define SMALL HISTORY_BYTES_MIN

static struct model *new_model(void)
{
	struct model *model = NULL;
	struct err err;

	ck_assert_int_eq(model_new(&model, &(struct model_options){ .history_bytes = SMALL }, &err),
			 0);
	model_lock(model);
	return model;
}

static void free_model(struct model *model)
{
	model_unlock(model);
	model_free(model);
}

static void feed(struct model *model, struct record record)
{
	model_feed(model, &record);
}

/* Enter a futex call in a process of one thread. */
static void begin(struct model *model, uint64_t time_ns, uint32_t pid, uint64_t uaddr, int op)
{
	struct record record = record_enter(time_ns, pid, SYS_futex, uaddr);

	record.enter.args[1] = (uint64_t)op;
	record.enter.args[2] = 1;
	feed(model, record);
}

static void end(struct model *model, uint64_t time_ns, uint32_t pid, int64_t ret)
{
	feed(model, record_exit(time_ns, pid, SYS_futex, ret));
}

static size_t rows_of(struct model *model, uint64_t now_ns, struct engine_futex **out)
{
	struct futex_rows rows = { .rows = NULL };

	while (futex_rows_gather(&rows, model, now_ns))
		;
	size_t all, count = futex_rows_finish(&rows, out, &all);

	ck_assert_uint_ge(all, count);
	return count;
}

/* Give the same reply to every request. */
static void place_all(struct model *model)
{
	struct futex_pending_entry questions[8];
	const struct futex_answer answer = { .found = true,
					     .shared = true,
					     .device = 1,
					     .inode = 2,
					     .offset = 64,
					     .label = "place" };
	size_t count = futexes_ask(model_futexes(model), true, questions, 8);

	for (size_t i = 0; i < count; i++)
		futexes_answer(model_futexes(model), &questions[i], &answer);
}

START_TEST(row_has_the_totals)
{
	struct engine_futex *rows = NULL;
	struct model *model = new_model();
	uint64_t in_histogram = 0;

	feed(model, record_comm(1, 100, "na\033me", false));
	feed(model, record_task(1, 200, 200, "waker"));
	begin(model, 1 * MS, 100, A, FUTEX_WAIT_PRIVATE);
	end(model, 3 * MS, 100, -ETIMEDOUT);
	begin(model, 10 * MS, 100, A, FUTEX_WAIT_PRIVATE);
	feed(model, record_switch_out(10 * MS, 100, false));
	feed(model, record_waking(14 * MS, 200, 100));
	end(model, 15 * MS, 100, 0);
	begin(model, 20 * MS, 100, A, FUTEX_WAIT_PRIVATE);
	ck_assert_uint_eq(rows_of(model, 27 * MS, &rows), 1);
	ck_assert_uint_eq(rows->pid, 100);
	ck_assert_str_eq(rows->name, "na\\33me");
	ck_assert_uint_eq(rows->uaddr, A);
	ck_assert_uint_eq(rows->processes, 1);
	ck_assert(!rows->shared && !rows->has_place);
	ck_assert_uint_eq(rows->waits, 2);
	ck_assert_uint_eq(rows->total_ns, 7 * MS);
	ck_assert_uint_eq(rows->max_ns, 5 * MS);
	ck_assert_uint_eq(rows->errors, 1);
	ck_assert_uint_eq(rows->timeouts, 1);
	ck_assert_uint_eq(rows->waiters, 1);
	ck_assert_uint_eq(rows->oldest_ns, 7 * MS);
	ck_assert_uint_eq(rows->waker_count, 1);
	ck_assert_uint_eq(rows->wakers[0].tid, 200);
	ck_assert_str_eq(rows->wakers[0].name, "waker");
	for (size_t i = 0; i < ENGINE_HISTOGRAM_CELLS; i++)
		in_histogram += rows->histogram[i];
	ck_assert_uint_eq(in_histogram, 2);
	/* Zeroing leaves only the waiter. */
	model_zero(model);
	ck_assert_uint_eq(rows_of(model, 28 * MS, &rows), 1);
	ck_assert_uint_eq(rows->waits, 0);
	ck_assert_uint_eq(rows->total_ns, 0);
	ck_assert_uint_eq(rows->waker_count, 0);
	ck_assert_uint_eq(rows->waiters, 1);
	end(model, 30 * MS, 100, 0);
	free(rows);
	free_model(model);
}
END_TEST

START_TEST(shared_memory_is_one_row)
{
	struct engine_futex *rows = NULL;
	struct model *model = new_model();
	uint64_t in_histogram = 0;

	begin(model, 1 * MS, 100, A, FUTEX_WAIT);
	end(model, 2 * MS, 100, -EAGAIN);
	begin(model, 3 * MS, 200, B, FUTEX_WAIT);
	end(model, 7 * MS, 200, -ETIMEDOUT);
	ck_assert_uint_eq(rows_of(model, 8 * MS, &rows), 2);
	place_all(model);
	begin(model, 10 * MS, 200, B, FUTEX_WAIT);
	begin(model, 12 * MS, 100, A, FUTEX_WAKE);
	end(model, 13 * MS, 100, 1);
	end(model, 13 * MS, 200, 0);
	/* A third process wakes both other processes once. */
	begin(model, 13 * MS + 10, 300, A, FUTEX_WAKE);
	end(model, 13 * MS + 20, 300, 0);
	place_all(model);
	for (uint64_t i = 1; i <= 2; i++) {
		uint64_t now = 13 * MS + 100 * i;

		begin(model, now, 100 * (uint32_t)i, i == 1 ? A : B, FUTEX_WAIT);
		begin(model, now + 20, 300, A, FUTEX_WAKE);
		end(model, now + 30, 300, 1);
		end(model, now + 50, 100 * (uint32_t)i, 0);
	}
	begin(model, 14 * MS, 100, A, FUTEX_WAIT);
	begin(model, 15 * MS, 200, B, FUTEX_WAIT);
	ck_assert_uint_eq(rows_of(model, 20 * MS, &rows), 1);
	ck_assert_uint_eq(rows->pid, 100);
	ck_assert_uint_eq(rows->uaddr, A);
	ck_assert(rows->shared && rows->has_place);
	ck_assert_uint_eq(rows->inode, 2);
	ck_assert_uint_eq(rows->processes, 3);
	ck_assert_uint_eq(rows->waits, 5);
	ck_assert_uint_eq(rows->total_ns, 8 * MS + 100);
	ck_assert_uint_eq(rows->max_ns, 4 * MS);
	ck_assert_uint_eq(rows->errors, 2);
	ck_assert_uint_eq(rows->would_block, 1);
	ck_assert_uint_eq(rows->timeouts, 1);
	ck_assert_uint_eq(rows->wakes, 4);
	ck_assert_uint_eq(rows->woken, 3);
	ck_assert_uint_eq(rows->waiters, 2);
	ck_assert_uint_eq(rows->oldest_ns, 6 * MS);
	ck_assert_uint_eq(rows->waker_count, 2);
	ck_assert_uint_eq(rows->wakers[0].tid, 300);
	ck_assert_uint_eq(rows->wakers[0].count, 2);
	ck_assert_uint_eq(rows->wakers[1].tid, 100);
	for (size_t i = 0; i < ENGINE_HISTOGRAM_CELLS; i++)
		in_histogram += rows->histogram[i];
	ck_assert_uint_eq(in_histogram, 5);
	free(rows);
	free_model(model);
}
END_TEST

START_TEST(every_futex_has_a_row)
{
	struct engine_futex *rows = NULL;
	struct model *model = new_model();
	const uint64_t futexes = 5000;
	uint64_t waits = 0;

	for (uint64_t i = 0; i < futexes; i++) {
		begin(model, 10 * i + 1, 100, A + 4 * i, FUTEX_WAIT_PRIVATE);
		end(model, 10 * i + 2, 100, 0);
	}
	ck_assert_uint_eq(rows_of(model, MS, &rows), futexes);
	for (uint64_t i = 0; i < futexes; i++)
		waits += rows[i].waits;
	ck_assert_uint_eq(waits, futexes);
	free(rows);
	free_model(model);
}
END_TEST

START_TEST(an_ended_process_keeps_its_name)
{
	struct engine_futex *rows = NULL;
	struct model *model = new_model();

	feed(model, record_comm(1, 100, "first", false));
	begin(model, 10, 100, A, FUTEX_WAIT_PRIVATE);
	end(model, 20, 100, 0);
	feed(model, record_task_exit(30, 100));
	feed(model, record_fork(40, 1, 100, 100));
	feed(model, record_comm(50, 100, "second", true));
	ck_assert_uint_eq(rows_of(model, 60, &rows), 1);
	ck_assert_str_eq(rows->name, "first");
	free(rows);
	free_model(model);
}
END_TEST

static enum model_answer is_of_2(void *ctx, const struct call *call, const struct model *model)
{
	(void)ctx;
	(void)model;
	return call->pid == 2 ? MODEL_YES : MODEL_NO;
}

static bool is_wanted_of_2(void *ctx, const struct call *call)
{
	(void)ctx;
	return call->pid == 2;
}

/* A process uses two futexes; it still waits on the second. */
static void use_futexes(struct model *model, uint64_t at, uint32_t pid)
{
	begin(model, at, pid, A, FUTEX_WAIT_PRIVATE);
	end(model, at + pid * MS, pid, 0);
	begin(model, at + 5 * MS, pid, B, FUTEX_WAIT_PRIVATE);
}

START_TEST(rows_count_only_matching_calls)
{
	struct futex_rows rows = { .wanted = is_wanted_of_2 };
	struct engine_futex *found = NULL;
	struct model *model = new_model();
	size_t all, count;

	use_futexes(model, MS, 1);
	use_futexes(model, MS, 2);
	model_set_match(model, is_of_2, NULL);
	while (model_refill(model, 1))
		;
	while (futex_rows_gather(&rows, model, 10 * MS))
		;
	count = futex_rows_finish(&rows, &found, &all);
	ck_assert_uint_eq(count, 2);
	ck_assert_uint_eq(all, 4);
	for (size_t i = 0; i < count; i++) {
		ck_assert_uint_eq(found[i].pid, 2);
		ck_assert_uint_eq(found[i].waits, found[i].uaddr == A);
		ck_assert_uint_eq(found[i].total_ns, found[i].uaddr == A ? 2 * MS : 0);
		ck_assert_uint_eq(found[i].waiters, found[i].uaddr == B);
	}
	/* Waits that end while the filter is set count immediately, if they match. */
	end(model, 11 * MS, 1, 0);
	end(model, 11 * MS, 2, 0);
	rows = (struct futex_rows){ .wanted = is_wanted_of_2 };
	while (futex_rows_gather(&rows, model, 12 * MS))
		;
	count = futex_rows_finish(&rows, &found, &all);
	ck_assert_uint_eq(count, 2);
	ck_assert_uint_eq(all, 4);
	ck_assert_uint_eq(found[0].waits, 1);
	ck_assert_uint_eq(found[1].waits, 1);
	/* Without the filter, all rows are back. */
	model_set_match(model, NULL, NULL);
	ck_assert_uint_eq(rows_of(model, 12 * MS, &found), 4);
	free(found);
	free_model(model);
}
END_TEST

static void begin_for(struct model *model, uint64_t time_ns, uint32_t tid, uint64_t uaddr,
		      uint32_t value)
{
	struct record record = record_enter(time_ns, tid, SYS_futex, uaddr);

	record.enter.args[1] = FUTEX_WAIT_PRIVATE;
	record.enter.args[2] = value;
	feed(model, record);
}

START_TEST(idle_threads_are_not_contended_locks)
{
	struct engine_futex *rows = NULL;
	struct model *model = new_model();
	const struct engine_futex *lock, *pool;

	/* A lock and an idle pool of workers, with waits of equal length. */
	begin_for(model, MS, 1, A, 2);
	end(model, 500 * MS, 1, 0);
	begin_for(model, MS, 2, B, 0);
	end(model, 500 * MS, 2, 0);
	begin_for(model, 600 * MS, 1, A, 2);
	begin_for(model, 600 * MS, 2, B, 0);
	ck_assert_uint_eq(rows_of(model, 700 * MS, &rows), 2);
	lock = rows[0].uaddr == A ? &rows[0] : &rows[1];
	pool = rows[0].uaddr == A ? &rows[1] : &rows[0];
	ck_assert_uint_eq(lock->contended_ns, 499 * MS);
	ck_assert_uint_eq(lock->lock_ns, 100 * MS);
	ck_assert_uint_eq(pool->contended_ns + pool->lock_ns, 0);
	ck_assert_uint_eq(pool->idle, 0);
	/* After IDLE_NS, the pool is idle and the lock is stuck. */
	ck_assert_uint_eq(rows_of(model, 700 * MS + IDLE_NS, &rows), 2);
	lock = rows[0].uaddr == A ? &rows[0] : &rows[1];
	pool = rows[0].uaddr == A ? &rows[1] : &rows[0];
	ck_assert_uint_eq(lock->idle, 0);
	ck_assert_uint_eq(pool->idle, 1);
	free(rows);
	free_model(model);
}
END_TEST

Suite *suite_futex_rows(void);
Suite *suite_futex_rows(void)
{
	Suite *suite = suite_create("futex_rows");
	TCase *tcase = tcase_create("futex_rows");

	tcase_add_test(tcase, row_has_the_totals);
	tcase_add_test(tcase, shared_memory_is_one_row);
	tcase_add_test(tcase, every_futex_has_a_row);
	tcase_add_test(tcase, an_ended_process_keeps_its_name);
	tcase_add_test(tcase, idle_threads_are_not_contended_locks);
	tcase_add_test(tcase, rows_count_only_matching_calls);
	suite_add_tcase(suite, tcase);
	return suite;
}
