/* Feeds the model with futex calls, as a source does. */
#include "engine/tasks/futexes.h"

#include "engine/model/model.h"
#include "tests/unit/records.h"
#include "tests/unit/runner.h"

#include <errno.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>

#define PID 100
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

static void enter_of(struct model *model, uint32_t pid, uint64_t time_ns, uint32_t tid,
		     const uint64_t args[6])
{
	struct record record = of_pid(record_enter(time_ns, tid, SYS_futex, 0), pid);

	memcpy(record.enter.args, args, sizeof(record.enter.args));
	feed(model, record);
}

static void leave_of(struct model *model, uint32_t pid, uint64_t time_ns, uint32_t tid, int64_t ret)
{
	feed(model, of_pid(record_exit(time_ns, tid, SYS_futex, ret), pid));
}

#define ENTER(model, time_ns, tid, ...) \
	enter_of(model, PID, time_ns, tid, (const uint64_t[6]){ __VA_ARGS__ })

static void leave(struct model *model, uint64_t time_ns, uint32_t tid, int64_t ret)
{
	leave_of(model, PID, time_ns, tid, ret);
}

static const struct futex *find_of(struct model *model, uint32_t pid, uint64_t uaddr, bool shared)
{
	const struct process *process = tasks_process(model_tasks(model), pid);
	struct futex_key key = { .uaddr = uaddr, .shared = shared };

	ck_assert_ptr_nonnull(process);
	key.generation = process->generation;
	return futex_table_find(futexes_table(model_futexes(model)), &key);
}

static const struct futex *at(struct model *model, uint64_t uaddr)
{
	const struct futex *futex = find_of(model, PID, uaddr, false);

	ck_assert_msg(futex != NULL, "no futex at %#lx", (unsigned long)uaddr);
	return futex;
}

static struct call last_call(struct model *model)
{
	struct history *history = model_history(model);

	return kept_call(history, history_end(history) - 1);
}

START_TEST(waits_are_summed_up)
{
	static const struct {
		uint64_t dur_ns;
		int64_t ret;
	} waits[] = { { 500, 0 }, { 2000, -ETIMEDOUT }, { 30, -EAGAIN }, { 70, -EINTR } };
	struct model *model = new_model();
	const struct futex *futex;
	uint64_t now = 1000;

	for (size_t i = 0; i < 4; i++) {
		ENTER(model, now, 1, A, FUTEX_WAIT_PRIVATE, 2);
		ck_assert_uint_eq(at(model, A)->waiters, 1);
		leave(model, now + waits[i].dur_ns, 1, waits[i].ret);
		ck_assert_uint_eq(at(model, A)->waiters, 0);
		now += 10000;
	}
	futex = at(model, A);
	ck_assert_uint_eq(futex->pid, PID);
	ck_assert_uint_eq(futex->waits, 4);
	ck_assert_uint_eq(futex->total_ns, 2600);
	ck_assert_uint_eq(futex->max_ns, 2000);
	ck_assert_uint_eq(futex->times.count, 4);
	ck_assert_uint_eq(futex->errors, 3);
	ck_assert_uint_eq(futex->timeouts, 1);
	ck_assert_uint_eq(futex->would_block, 1);
	ck_assert_uint_eq(futex->waker_count, 0);
	ck_assert_uint_eq(futex->holds, 0);
	futexes_zero(model_futexes(model));
	ck_assert(!futexes_is_current(model_futexes(model), at(model, A)));
	ENTER(model, now, 1, A, FUTEX_WAIT_PRIVATE, 2);
	leave(model, now + 5, 1, 0);
	ck_assert_uint_eq(at(model, A)->waits, 1);
	ck_assert_uint_eq(at(model, A)->total_ns, 5);
	ck_assert_uint_eq(at(model, A)->times.count, 1);
	ck_assert_uint_eq(at(model, A)->errors, 0);
	free_model(model);
}
END_TEST

START_TEST(every_wait_operation_is_a_wait)
{
	static const uint64_t ops[] = {
		FUTEX_WAIT_PRIVATE,      FUTEX_WAIT_BITSET_PRIVATE,     FUTEX_LOCK_PI_PRIVATE,
		13 | FUTEX_PRIVATE_FLAG, FUTEX_WAIT_REQUEUE_PI_PRIVATE,
	};
	static const uint64_t no_waits[] = {
		FUTEX_WAKE_PRIVATE,        FUTEX_WAKE_BITSET_PRIVATE,    FUTEX_UNLOCK_PI_PRIVATE,
		FUTEX_TRYLOCK_PI_PRIVATE,  FUTEX_WAKE_OP_PRIVATE,        FUTEX_REQUEUE_PRIVATE,
		FUTEX_CMP_REQUEUE_PRIVATE, FUTEX_CMP_REQUEUE_PI_PRIVATE,
	};
	struct model *model = new_model();

	for (size_t i = 0; i < sizeof(ops) / sizeof(*ops); i++) {
		ENTER(model, 1000 * (i + 1), 1, A, ops[i]);
		ck_assert_msg(at(model, A)->waiters == 1, "op %#lx", (unsigned long)ops[i]);
		leave(model, 1000 * (i + 1) + 10, 1, 0);
		ck_assert_msg(at(model, A)->waits == i + 1, "op %#lx", (unsigned long)ops[i]);
	}
	for (size_t i = 0; i < sizeof(no_waits) / sizeof(*no_waits); i++) {
		ENTER(model, 100000 + 1000 * i, 1, A, no_waits[i], 1, 1, B);
		leave(model, 100010 + 1000 * i, 1, 0);
	}
	ck_assert_uint_eq(at(model, A)->waits, 5);
	ck_assert_uint_eq(at(model, A)->wakes, 7);
	ck_assert_uint_eq(at(model, A)->woken, 0);
	free_model(model);
}
END_TEST

/* The waker's call ends after the waiter's, as usual on another CPU. */
START_TEST(waker_is_inferred_from_a_wake_in_flight)
{
	struct model *model = new_model();
	struct call call;

	ENTER(model, 1000, 1, A, FUTEX_WAIT_PRIVATE, 2);
	ENTER(model, 2000, 2, A, FUTEX_WAKE_PRIVATE, 1);
	leave(model, 2010, 1, 0);
	call = last_call(model);
	ck_assert_int_eq(call.waker_kind, WAKER_THREAD);
	ck_assert_uint_eq(call.waker_tid, 2);
	ck_assert(call.flags & CALL_WAKER_INFERRED);
	leave(model, 2020, 2, 1);
	ck_assert_uint_eq(at(model, A)->waker_count, 1);
	ck_assert_uint_eq(at(model, A)->wakers[0].tid, 2);
	ck_assert_uint_eq(at(model, A)->wakers[0].count, 1);
	ck_assert_uint_eq(at(model, A)->woken, 1);
	/* The wake call woke only one thread, which was thread 1: thread 3 has no waker. */
	ENTER(model, 2015, 3, A, FUTEX_WAIT_PRIVATE, 2);
	leave(model, 2030, 3, 0);
	ck_assert_int_eq(last_call(model).waker_kind, WAKER_NONE);
	free_model(model);
}
END_TEST

START_TEST(waker_is_the_last_call_that_woke_a_thread)
{
	struct model *model = new_model();

	ENTER(model, 1000, 1, A, FUTEX_WAIT_PRIVATE, 2);
	ENTER(model, 1001, 5, A, FUTEX_WAIT_PRIVATE, 2);
	ENTER(model, 2000, 2, A, FUTEX_WAKE_PRIVATE, 1);
	leave(model, 2010, 2, 1);
	ENTER(model, 2020, 3, A, FUTEX_WAKE_PRIVATE, 1);
	leave(model, 2030, 3, 1);
	ENTER(model, 2040, 4, A, FUTEX_WAKE_PRIVATE, 1); /* wakes none: both are woken already */
	leave(model, 2050, 4, 0);
	leave(model, 2060, 1, 0);
	ck_assert_uint_eq(last_call(model).waker_tid, 3);
	leave(model, 2070, 5, 0);
	ck_assert_uint_eq(last_call(model).waker_tid, 2);
	free_model(model);
}
END_TEST

START_TEST(no_waker_is_inferred_without_evidence)
{
	struct model *model = new_model();

	/* A wake of another futex. */
	ENTER(model, 900, 9, B, FUTEX_WAIT_PRIVATE, 2);
	ENTER(model, 1000, 1, A, FUTEX_WAIT_PRIVATE, 2);
	ENTER(model, 1100, 2, B, FUTEX_WAKE_PRIVATE, 1);
	leave(model, 1200, 2, 1);
	leave(model, 1300, 1, 0);
	ck_assert_int_eq(last_call(model).waker_kind, WAKER_NONE);
	/* A wake before the wait. */
	ENTER(model, 2000, 1, A, FUTEX_WAIT_PRIVATE, 2);
	ENTER(model, 2010, 2, A, FUTEX_WAKE_PRIVATE, 9);
	leave(model, 2020, 2, 9);
	ENTER(model, 2030, 3, A, FUTEX_WAIT_PRIVATE, 2);
	leave(model, 2040, 3, 0);
	ck_assert_int_eq(last_call(model).waker_kind, WAKER_NONE);
	/* A wait that timed out. */
	leave(model, 2050, 1, -ETIMEDOUT);
	ck_assert_int_eq(last_call(model).waker_kind, WAKER_NONE);
	/* A waker that sched_waking reported. */
	ENTER(model, 3000, 1, A, FUTEX_WAIT_PRIVATE, 2);
	feed(model, of_pid(record_switch_out(3010, 1, false), PID));
	ENTER(model, 3020, 2, A, FUTEX_WAKE_PRIVATE, 1);
	feed(model, of_pid(record_waking(3030, 4, 1), PID));
	leave(model, 3040, 1, 0);
	ck_assert_uint_eq(last_call(model).waker_tid, 4);
	ck_assert(!(last_call(model).flags & CALL_WAKER_INFERRED));
	ck_assert_uint_eq(at(model, A)->waker_count, 1);
	ck_assert_uint_eq(at(model, A)->wakers[0].tid, 4);
	free_model(model);
}
END_TEST

START_TEST(wake_op_wakes_at_both_futexes)
{
	struct model *model = new_model();

	ENTER(model, 1000, 1, A, FUTEX_WAIT_PRIVATE, 2);
	ENTER(model, 1001, 2, B, FUTEX_WAIT_PRIVATE, 2);
	ENTER(model, 1100, 3, A, FUTEX_WAKE_OP_PRIVATE, 1, 1, B, 0);
	leave(model, 1110, 1, 0);
	ck_assert_uint_eq(last_call(model).waker_tid, 3);
	leave(model, 1120, 3, 2);
	leave(model, 1130, 2, 0);
	ck_assert_uint_eq(last_call(model).waker_tid, 3);
	ck_assert_uint_eq(at(model, A)->woken, 1);
	ck_assert_uint_eq(at(model, B)->woken, 1);
	/* A call that woke no thread at the second futex does not wake one there later. */
	ENTER(model, 2000, 1, A, FUTEX_WAIT_PRIVATE, 2);
	ENTER(model, 2100, 3, A, FUTEX_WAKE_OP_PRIVATE, 1, 1, B, 0);
	leave(model, 2110, 3, 1);
	ENTER(model, 2105, 2, B, FUTEX_WAIT_PRIVATE, 2);
	leave(model, 2120, 2, 0);
	ck_assert_int_eq(last_call(model).waker_kind, WAKER_NONE);
	free_model(model);
}
END_TEST

START_TEST(an_unlock_wakes_a_waiter)
{
	struct model *model = new_model();

	ENTER(model, 1000, 1, A, FUTEX_LOCK_PI_PRIVATE);
	ENTER(model, 1100, 2, A, FUTEX_UNLOCK_PI_PRIVATE);
	leave(model, 1110, 2, 0);
	leave(model, 1120, 1, 0);
	ck_assert_uint_eq(last_call(model).waker_tid, 2);
	ck_assert_uint_eq(at(model, A)->woken, 1);
	free_model(model);
}
END_TEST

/* The result does not show whether the first waiter got the lock, so all count as moved. */
START_TEST(a_requeue_to_a_lock_moves_all)
{
	struct model *model = new_model();

	ENTER(model, 1000, 1, A, FUTEX_WAIT_REQUEUE_PI_PRIVATE, 2, 0, B);
	ENTER(model, 1001, 2, A, FUTEX_WAIT_REQUEUE_PI_PRIVATE, 2, 0, B);
	ENTER(model, 1100, 4, A, FUTEX_CMP_REQUEUE_PI_PRIVATE, 1, INT32_MAX, B);
	leave(model, 1200, 4, 2);
	ck_assert_uint_eq(at(model, A)->waiters, 0);
	ck_assert_uint_eq(at(model, A)->requeued, 2);
	ck_assert_uint_eq(at(model, B)->waiters, 2);
	ENTER(model, 1300, 4, B, FUTEX_UNLOCK_PI_PRIVATE);
	leave(model, 1310, 4, 0);
	leave(model, 1320, 1, 0);
	ck_assert_uint_eq(last_call(model).waker_tid, 4);
	ck_assert_uint_eq(at(model, B)->wakers[0].tid, 4);
	ck_assert_uint_eq(at(model, A)->waits, 1);
	ck_assert_uint_eq(at(model, B)->waiters, 1);
	free_model(model);
}
END_TEST

START_TEST(a_requeue_moves_waiters)
{
	static const uint64_t ops[] = { FUTEX_REQUEUE_PRIVATE, FUTEX_CMP_REQUEUE_PRIVATE };

	for (size_t i = 0; i < 2; i++) {
		struct model *model = new_model();

		ENTER(model, 1000, 1, A, FUTEX_WAIT_PRIVATE, 2);
		ENTER(model, 1001, 2, A, FUTEX_WAIT_PRIVATE, 2);
		ENTER(model, 1002, 3, A, FUTEX_WAIT_PRIVATE, 2);
		ENTER(model, 1100, 4, A, ops[i], 1, INT32_MAX, B);
		leave(model, 1200, 4, 3);
		/* The first waiter was woken, but has not returned yet. */
		ck_assert_uint_eq(at(model, A)->waiters, 1);
		ck_assert_uint_eq(at(model, A)->first_waiter->tid, 1);
		ck_assert_uint_eq(at(model, A)->requeued, 2);
		ck_assert_uint_eq(at(model, B)->waiters, 2);
		ck_assert_uint_eq(at(model, B)->first_waiter->tid, 2);
		leave(model, 1210, 1, 0);
		ck_assert_uint_eq(last_call(model).waker_tid, 4);
		/* The next waiter is woken at B; its wait counts for A. */
		ENTER(model, 1300, 5, B, FUTEX_WAKE_PRIVATE, 1);
		leave(model, 1310, 5, 1);
		leave(model, 1320, 2, 0);
		ck_assert_uint_eq(last_call(model).waker_tid, 5);
		ck_assert_uint_eq(at(model, B)->wakers[0].tid, 5);
		ck_assert_uint_eq(at(model, A)->waits, 2);
		ck_assert_uint_eq(at(model, A)->total_ns, 210 + 319);
		ck_assert_uint_eq(at(model, B)->waits, 0);
		ck_assert_uint_eq(at(model, B)->waiters, 1);
		leave(model, 1400, 3, 0);
		ck_assert_uint_eq(at(model, B)->holds, 0);
		ck_assert_uint_eq(at(model, A)->holds, 0);
		free_model(model);
	}
}
END_TEST

START_TEST(a_limited_requeue_moves_the_first)
{
	struct model *model = new_model();

	ENTER(model, 1000, 1, A, FUTEX_WAIT_PRIVATE, 2);
	ENTER(model, 1001, 2, A, FUTEX_WAIT_PRIVATE, 2);
	ENTER(model, 1002, 3, A, FUTEX_WAIT_PRIVATE, 2);
	ENTER(model, 1100, 4, A, FUTEX_REQUEUE_PRIVATE, 0, 2, B);
	leave(model, 1200, 4, 2);
	ck_assert_uint_eq(at(model, A)->waiters, 1);
	ck_assert_uint_eq(at(model, A)->first_waiter->tid, 3);
	ck_assert_uint_eq(at(model, B)->waiters, 2);
	free_model(model);
}
END_TEST

START_TEST(same_address_in_another_process_is_another_futex)
{
	struct model *model = new_model();
	const uint64_t private_wait[6] = { A, FUTEX_WAIT_PRIVATE, 2 };
	const uint64_t shared_wait[6] = { A, FUTEX_WAIT, 2 };
	uint32_t generation;

	enter_of(model, 100, 1000, 100, private_wait);
	enter_of(model, 200, 1000, 200, private_wait);
	leave_of(model, 100, 1010, 100, 0);
	leave_of(model, 200, 1020, 200, 0);
	enter_of(model, 100, 1100, 100, shared_wait);
	leave_of(model, 100, 1130, 100, 0);
	ck_assert_uint_eq(find_of(model, 100, A, false)->total_ns, 10);
	ck_assert_uint_eq(find_of(model, 200, A, false)->total_ns, 20);
	ck_assert_uint_eq(find_of(model, 100, A, true)->total_ns, 30);
	/* After an exec, the address is that of a third futex. */
	generation = tasks_process(model_tasks(model), 100)->generation;
	feed(model, record_comm(2000, 100, "other", true));
	ck_assert_uint_ne(tasks_process(model_tasks(model), 100)->generation, generation);
	ck_assert_ptr_null(find_of(model, 100, A, false));
	enter_of(model, 100, 2100, 100, private_wait);
	leave_of(model, 100, 2140, 100, 0);
	ck_assert_uint_eq(find_of(model, 100, A, false)->waits, 1);
	free_model(model);
}
END_TEST

START_TEST(thread_found_in_a_wait_is_a_waiter)
{
	struct model *model = new_model();
	struct record seed = of_pid(record_inflight(500, 1, SYS_futex, A), PID);

	seed.inflight.args[1] = FUTEX_WAIT_PRIVATE;
	feed(model, seed);
	ck_assert_uint_eq(at(model, A)->waiters, 1);
	/* The wait counts without its time, as its start is unknown. */
	leave(model, 9000, 1, 0);
	ck_assert_uint_eq(at(model, A)->waiters, 0);
	ck_assert_uint_eq(at(model, A)->waits, 1);
	ck_assert_uint_eq(at(model, A)->total_ns, 0);
	free_model(model);
}
END_TEST

START_TEST(thread_that_exits_stops_waiting)
{
	struct model *model = new_model();

	ENTER(model, 1000, 1, A, FUTEX_WAIT_PRIVATE, 2);
	feed(model, of_pid(record_task_exit(1500, 1), PID));
	ck_assert_uint_eq(at(model, A)->waiters, 0);
	ck_assert_uint_eq(at(model, A)->waits, 1);
	ck_assert_uint_eq(at(model, A)->total_ns, 500);
	free_model(model);
}
END_TEST

START_TEST(a_restarted_wait_stays_where_it_was_moved)
{
	struct model *model = new_model();

	ENTER(model, 1000, 1, A, FUTEX_WAIT_PRIVATE, 2);
	ENTER(model, 1100, 4, A, FUTEX_REQUEUE_PRIVATE, 0, 1, B);
	leave(model, 1200, 4, 1);
	leave(model, 1300, 1, -512);
	ENTER(model, 1301, 1, A, FUTEX_WAIT_PRIVATE, 2);
	ck_assert_uint_eq(at(model, B)->waiters, 1);
	ck_assert_uint_eq(at(model, A)->waiters, 0);
	ck_assert_uint_eq(at(model, A)->holds, 1);
	free_model(model);
}
END_TEST

START_TEST(futex_waitv_has_no_address)
{
	struct model *model = new_model();

	feed(model, of_pid(record_enter(1000, 1, 449, 0x5000), PID));
	ck_assert_uint_eq(at(model, 0)->waiters, 1);
	feed(model, of_pid(record_exit(1040, 1, 449, 2), PID));
	ck_assert_uint_eq(at(model, 0)->waits, 1);
	ck_assert_uint_eq(at(model, 0)->total_ns, 40);
	free_model(model);
}
END_TEST

START_TEST(number_of_wakers_is_bounded_and_frequent_ones_stay)
{
	struct model *model = new_model();
	const struct futex *futex;
	uint64_t now = 1000, count = 0;

	for (uint32_t round = 0; round < 3 * FUTEX_WAKERS_MAX; round++) {
		const uint32_t wakers[] = { 2000 + round, 5000 };

		/* The frequent waker is not the first. */
		for (int i = 0; i < (round < FUTEX_WAKERS_MAX / 2 ? 1 : 2); i++) {
			ENTER(model, now, 1, A, FUTEX_WAIT_PRIVATE, 2);
			ENTER(model, now + 10, wakers[i], A, FUTEX_WAKE_PRIVATE, 1);
			leave(model, now + 20, wakers[i], 1);
			leave(model, now + 30, 1, 0);
			now += 100;
		}
	}
	futex = at(model, A);
	ck_assert_uint_eq(futex->waker_count, FUTEX_WAKERS_MAX);
	ck_assert_uint_eq(futex->wakers[0].tid, 5000);
	ck_assert_uint_eq(futex->wakers[0].count, 5 * FUTEX_WAKERS_MAX / 2);
	for (size_t i = 0; i < futex->waker_count; i++)
		count += futex->wakers[i].count;
	ck_assert_uint_eq(count + futex->other_wakers, futex->waits);
	free_model(model);
}
END_TEST

static const struct futex_answer answer = {
	.found = true,
	.shared = true,
	.device = 7,
	.inode = 8,
	.offset = 9,
	.label = "place",
};

START_TEST(each_futex_is_requested_once)
{
	struct model *model = new_model();
	struct futexes *futexes = model_futexes(model);
	struct futex_pending_entry questions[4];

	ENTER(model, 1000, 1, A, FUTEX_WAIT, 2);
	leave(model, 1010, 1, 0);
	ENTER(model, 1020, 1, A, FUTEX_WAIT, 2);
	ENTER(model, 1030, 2, B, FUTEX_WAIT_PRIVATE, 2);
	ck_assert_uint_eq(futexes_ask(futexes, true, questions, 4), 1);
	ck_assert_uint_eq(questions[0].pid, PID);
	ck_assert_uint_eq(questions[0].key.uaddr, A);
	ck_assert_uint_eq(futexes_ask(futexes, true, questions + 1, 3), 0);
	ck_assert_int_eq(find_of(model, PID, A, true)->backing, FUTEX_BACKING_ASKED);
	futexes_answer(futexes, questions, &answer);
	ck_assert_int_eq(find_of(model, PID, A, true)->backing, FUTEX_BACKING_KNOWN);
	ck_assert_uint_eq(find_of(model, PID, A, true)->memory->offset, 9);
	leave(model, 1040, 1, 0);
	ck_assert_uint_eq(futexes_ask(futexes, true, questions, 4), 0);
	/* A private futex gets only a label, even if the reply has a place. */
	ck_assert_uint_eq(futexes_ask(futexes, false, questions, 4), 1);
	ck_assert_uint_eq(questions[0].key.uaddr, B);
	futexes_answer(futexes, questions, &answer);
	ck_assert_str_eq(find_of(model, PID, B, false)->label, "place");
	ck_assert_int_eq(find_of(model, PID, B, false)->backing, FUTEX_BACKING_NONE);
	ck_assert_ptr_null(find_of(model, PID, B, false)->memory);
	free_model(model);
}
END_TEST

/* Another process wakes the futex, which has another address there. */
START_TEST(wakers_of_shared_memory_are_inferred)
{
	struct model *model = new_model();
	struct futexes *futexes = model_futexes(model);
	struct futex_pending_entry questions[2];
	const uint64_t wait[6] = { A, FUTEX_WAIT, 2 }, wake[6] = { B, FUTEX_WAKE, 1 };

	for (int known = 0; known < 2; known++) {
		uint64_t now = 1000 + 1000 * (uint64_t)known;

		enter_of(model, 100, now, 100, wait);
		enter_of(model, 200, now + 10, 200, wake);
		leave_of(model, 200, now + 20, 200, 1);
		leave_of(model, 100, now + 30, 100, 0);
		ck_assert_uint_eq(last_call(model).waker_tid, known ? 200 : 0);
		if (known)
			break;
		ck_assert_uint_eq(futexes_ask(futexes, true, questions, 2), 2);
		futexes_answer(futexes, &questions[0], &answer);
		futexes_answer(futexes, &questions[1], &answer);
		ck_assert_ptr_eq(find_of(model, 100, A, true)->memory,
				 find_of(model, 200, B, true)->memory);
	}
	free_model(model);
}
END_TEST

START_TEST(a_joined_thread_is_the_waker)
{
	struct model *model = new_model();

	feed(model, record_fork(500, PID, PID, 7));
	feed(model, record_fork(500, PID, PID, 8));
	/* The join returns before the exit record of the thread. */
	ENTER(model, 1000, PID, A, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, 7);
	feed(model, of_pid(record_enter(1100, 7, SYS_exit, 0), PID));
	leave(model, 1200, PID, 0);
	ck_assert_uint_eq(last_call(model).waker_tid, 7);
	ck_assert(last_call(model).flags & CALL_WAKER_INFERRED);
	feed(model, of_pid(record_task_exit(1300, 7), PID));
	/* Thread 8 is alive, so its exit did not end the wait. */
	ENTER(model, 2000, PID, B, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, 8);
	leave(model, 2100, PID, 0);
	ck_assert_uint_eq(last_call(model).waker_tid, 0);
	free_model(model);
}
END_TEST

static bool keep_none(void *ctx, const struct call *call)
{
	(void)ctx;
	(void)call;
	return false;
}

START_TEST(forgotten_calls_stop_waiting)
{
	struct model *model = new_model();

	ENTER(model, 1000, 1, A, FUTEX_WAIT_PRIVATE, 2);
	model_forget(model, keep_none, NULL);
	ck_assert_uint_eq(at(model, A)->waiters, 0);
	ck_assert_uint_eq(at(model, A)->holds, 0);
	free_model(model);
}
END_TEST

Suite *suite_futexes(void);
Suite *suite_futexes(void)
{
	Suite *suite = suite_create("futexes");
	TCase *tcase = tcase_create("futexes");

	tcase_add_test(tcase, waits_are_summed_up);
	tcase_add_test(tcase, every_wait_operation_is_a_wait);
	tcase_add_test(tcase, waker_is_inferred_from_a_wake_in_flight);
	tcase_add_test(tcase, waker_is_the_last_call_that_woke_a_thread);
	tcase_add_test(tcase, no_waker_is_inferred_without_evidence);
	tcase_add_test(tcase, wake_op_wakes_at_both_futexes);
	tcase_add_test(tcase, an_unlock_wakes_a_waiter);
	tcase_add_test(tcase, a_requeue_moves_waiters);
	tcase_add_test(tcase, a_requeue_to_a_lock_moves_all);
	tcase_add_test(tcase, a_limited_requeue_moves_the_first);
	tcase_add_test(tcase, same_address_in_another_process_is_another_futex);
	tcase_add_test(tcase, thread_found_in_a_wait_is_a_waiter);
	tcase_add_test(tcase, thread_that_exits_stops_waiting);
	tcase_add_test(tcase, a_restarted_wait_stays_where_it_was_moved);
	tcase_add_test(tcase, futex_waitv_has_no_address);
	tcase_add_test(tcase, number_of_wakers_is_bounded_and_frequent_ones_stay);
	tcase_add_test(tcase, each_futex_is_requested_once);
	tcase_add_test(tcase, wakers_of_shared_memory_are_inferred);
	tcase_add_test(tcase, a_joined_thread_is_the_waker);
	tcase_add_test(tcase, forgotten_calls_stop_waiting);
	suite_add_tcase(suite, tcase);
	return suite;
}
