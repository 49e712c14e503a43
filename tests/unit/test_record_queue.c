/* Records on their way to another thread arrive whole, in order, or are refused. */
#include "engine/recording/record_queue.h"

#include "tests/unit/records.h"
#include "tests/unit/runner.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#define BYTES ((size_t)64 << 10)
#define MANY 200000u

static struct record_queue queue;

static void setup(void)
{
	ck_assert_int_eq(record_queue_init(&queue, BYTES), 0);
}

static void teardown(void)
{
	record_queue_release(&queue);
}

static enum record_queue_item take(struct record *record)
{
	uint32_t mark;
	uint64_t value;

	return record_queue_take(&queue, record, &mark, &value);
}

/* The data of a record can be freed before the record is taken. */
START_TEST(a_record_is_copied_with_its_data)
{
	uint64_t ips[] = { 1, 2, 3 }, regs[] = { 7, 8 };
	char comm[] = "a name", cgroup[] = "/a/cgroup", bytes[] = "12345", stack[] = "stack";
	struct record_stack walked = { .ips = ips,
				       .count = 3,
				       .user_regs = regs,
				       .user_regs_mask = 0x101,
				       .user_stack = stack,
				       .user_stack_bytes = sizeof(stack) };
	struct record seed = record_inflight(5, 7, 202, 4096), out;
	struct record owner = { .kind = RECORD_OWNER, .owner = { .cgroup = cgroup, .comm = comm } };
	struct record call = record_call(1, 2, 7, 39, 0, 0);

	seed.inflight.stack = &walked;
	call.call.bytes = (struct record_bytes){ .chunks = bytes, .len = sizeof(bytes) };
	ck_assert(record_queue_put(&queue, &seed) && record_queue_put(&queue, &owner) &&
		  record_queue_put(&queue, &call));
	memset(ips, 0, sizeof(ips));
	memset(regs, 0, sizeof(regs));
	memset(stack, 0, sizeof(stack));
	memset(comm, 0, sizeof(comm));
	memset(cgroup, 0, sizeof(cgroup));
	memset(bytes, 0, sizeof(bytes));
	memset(&walked, 0, sizeof(walked));
	/* The record is not available before it is published. */
	ck_assert_int_eq(take(&out), RECORD_QUEUE_NONE);
	record_queue_publish(&queue);
	ck_assert_int_eq(take(&out), RECORD_QUEUE_RECORD);
	ck_assert(out.kind == RECORD_INFLIGHT && out.inflight.stack->count == 3 &&
		  out.inflight.stack->ips[2] == 3 && out.inflight.stack->user_regs[1] == 8 &&
		  !strcmp(out.inflight.stack->user_stack, "stack"));
	ck_assert_int_eq(take(&out), RECORD_QUEUE_RECORD);
	ck_assert_str_eq(out.owner.comm, "a name");
	ck_assert_str_eq(out.owner.cgroup, "/a/cgroup");
	ck_assert_int_eq(take(&out), RECORD_QUEUE_RECORD);
	ck_assert(out.call.nr == 39 && out.call.bytes.len == 6 &&
		  !memcmp(out.call.bytes.chunks, "12345", 6));
	ck_assert_int_eq(take(&out), RECORD_QUEUE_NONE);
}
END_TEST

/* Pending records are not overwritten; taken ones make room after record_queue_free_up(). */
START_TEST(a_full_queue_refuses_records)
{
	struct record record = record_exit(1, 7, 39, 0), out;
	uint64_t put = 0, taken = 0;

	for (int round = 0; round < 50; round++) {
		while (record.exit.ret = (int64_t)put, record_queue_put(&queue, &record))
			put++;
		record_queue_publish(&queue);
		ck_assert_uint_gt(put, taken);
		ck_assert_uint_le(record_queue_left(&queue), BYTES);
		for (int i = 0; i < 100; i++) {
			ck_assert_int_eq(take(&out), RECORD_QUEUE_RECORD);
			ck_assert_int_eq(out.exit.ret, (int64_t)taken++);
		}
		ck_assert(!record_queue_put(&queue, &record));
		record_queue_free_up(&queue);
	}
}
END_TEST

START_TEST(a_record_that_never_fits_is_refused)
{
	static char bytes[BYTES];
	struct record record = record_call(1, 2, 7, 39, 0, 0), out;

	record.call.bytes = (struct record_bytes){ .chunks = bytes, .len = sizeof(bytes) };
	ck_assert(!record_queue_put(&queue, &record));
	record_queue_publish(&queue);
	ck_assert_int_eq(take(&out), RECORD_QUEUE_NONE);
}
END_TEST

START_TEST(marks_keep_their_place_among_records)
{
	struct record record = record_exit(1, 7, 39, 0);
	uint32_t mark;
	uint64_t value;

	record_queue_put(&queue, &record);
	record_queue_put_mark(&queue, 3, 1ULL << 60);
	record_queue_put(&queue, &record);
	record_queue_publish(&queue);
	ck_assert_int_eq(record_queue_take(&queue, &record, &mark, &value), RECORD_QUEUE_RECORD);
	ck_assert_int_eq(record_queue_take(&queue, &record, &mark, &value), RECORD_QUEUE_MARK);
	ck_assert(mark == 3 && value == 1ULL << 60);
	ck_assert_int_eq(record_queue_take(&queue, &record, &mark, &value), RECORD_QUEUE_RECORD);
}
END_TEST

/* In a ring of recent records, records at and after the retained place stay and can be read. */
START_TEST(retained_records_stay_readable)
{
	struct record record = record_exit(1, 7, 39, 0), out;
	uint64_t place = 0;

	for (int64_t i = 0; i < 10000; i++) {
		record.exit.ret = i;
		if (i == 9900)
			place = queue.write_at;
		record_queue_retain_from(&queue, i < 9900 ? queue.write_at : place);
		ck_assert(record_queue_put(&queue, &record));
	}
	record_queue_publish(&queue);
	ck_assert_uint_le(record_queue_oldest(&queue), place);
	record_queue_seek(&queue, place);
	for (int64_t i = 9900; i < 10000; i++) {
		ck_assert_int_eq(take(&out), RECORD_QUEUE_RECORD);
		ck_assert_int_eq(out.exit.ret, i);
	}
	ck_assert_int_eq(take(&out), RECORD_QUEUE_NONE);
}
END_TEST

static void *put_many(void *unused)
{
	char text[32] = "";
	struct record plain = record_exit(1, 7, 39, 0);
	struct record named = record_comm(1, 7, text, false);

	for (unsigned i = 0; i < MANY; i++) {
		const struct record *record = i % 3 ? &plain : &named;

		plain.exit.ret = named.time_ns = i;
		memset(text, 'a' + i % 26, i % 16);
		text[i % 16] = '\0';
		while (!record_queue_put(&queue, record)) {
			record_queue_publish(&queue);
			sched_yield();
		}
		if (i % 7 == 0)
			record_queue_publish(&queue);
	}
	record_queue_publish(&queue);
	return unused;
}

START_TEST(records_pass_intact_between_threads)
{
	pthread_t thread;
	struct record out;

	ck_assert_int_eq(pthread_create(&thread, NULL, put_many, NULL), 0);
	for (unsigned i = 0; i < MANY; i++) {
		while (take(&out) == RECORD_QUEUE_NONE) {
			record_queue_free_up(&queue);
			sched_yield();
		}
		if (i % 3) {
			ck_assert(out.kind == RECORD_EXIT && out.exit.ret == i);
			continue;
		}
		ck_assert(out.kind == RECORD_COMM && out.time_ns == i);
		ck_assert_uint_eq(strlen(out.comm.comm), i % 16);
		ck_assert(!(i % 16) || out.comm.comm[i % 16 - 1] == (char)('a' + i % 26));
	}
	pthread_join(thread, NULL);
	ck_assert_int_eq(take(&out), RECORD_QUEUE_NONE);
}
END_TEST

Suite *suite_record_queue(void);

Suite *suite_record_queue(void)
{
	Suite *suite = suite_create("record_queue");
	TCase *cases = tcase_create("record_queue");

	tcase_set_timeout(cases, 60);
	tcase_add_checked_fixture(cases, setup, teardown);
	tcase_add_test(cases, a_record_is_copied_with_its_data);
	tcase_add_test(cases, a_full_queue_refuses_records);
	tcase_add_test(cases, a_record_that_never_fits_is_refused);
	tcase_add_test(cases, marks_keep_their_place_among_records);
	tcase_add_test(cases, retained_records_stay_readable);
	tcase_add_test(cases, records_pass_intact_between_threads);
	suite_add_tcase(suite, cases);
	return suite;
}
