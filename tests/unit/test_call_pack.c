#include "engine/model/call_pack.h"

#include "tests/unit/runner.h"

#include <stdlib.h>
#include <string.h>

#define RANDOM_CALLS 100000

/* Return a number with a random count of bits, so that every length occurs. */
static uint64_t random_number(unsigned *seed)
{
	uint64_t number = (uint64_t)rand_r(seed) << 33 ^ (uint64_t)rand_r(seed) << 11 ^
			  (uint64_t)rand_r(seed);
	unsigned bits = (unsigned)rand_r(seed) % 65;

	number = bits == 64 ? number : number & ((1ULL << bits) - 1);
	return rand_r(seed) % 4 ? number : 0 - number;
}

static struct call random_call(unsigned *seed)
{
	struct call call = {
		.enter_ns = random_number(seed),
		.dur_ns = rand_r(seed) % 4 ? (int64_t)random_number(seed) : -1,
		.ret = (int64_t)random_number(seed),
		.pid = (uint32_t)random_number(seed),
		.tid = (uint32_t)random_number(seed),
		.comm_id = (uint32_t)random_number(seed),
		.nr = (uint16_t)random_number(seed),
		.cpu = (uint16_t)random_number(seed),
		.state = (uint8_t)(rand_r(seed) % CALL_STATE_COUNT),
		.flags = (uint16_t)random_number(seed),
		.thread_state = (uint8_t)(rand_r(seed) % THREAD_STATE_COUNT),
	};

	for (size_t i = 0; i < SYSCALL_ARGS; i++)
		call.args[i] = random_number(seed);
	if (rand_r(seed) % 2)
		call.bytes_at = random_number(seed);
	if (rand_r(seed) % 2)
		return call;
	call.blocked_ns = random_number(seed);
	call.runnable_ns = random_number(seed);
	call.stack_id = (uint32_t)random_number(seed);
	call.waker_tid = (uint32_t)random_number(seed);
	call.waker_stack_id = (uint32_t)random_number(seed);
	call.ran_stack_id = (uint32_t)random_number(seed);
	call.ran_after_us = (uint32_t)random_number(seed);
	call.waker_kind = (uint8_t)(rand_r(seed) % WAKER_KIND_COUNT);
	return call;
}

/* Check that unpacking restores the call, and that packing changes no bytes beyond the slack. */
static size_t check_round_trip(const struct call *call, uint64_t base_ns)
{
	unsigned char bytes[CALL_PACK_BYTES_MAX + CALL_PACK_SLACK + 16], around[sizeof(bytes)];
	struct call back;
	size_t len;

	memset(bytes, 0xa5, sizeof(bytes));
	memset(around, 0xa5, sizeof(around));
	len = call_pack(bytes, call, base_ns);
	ck_assert_uint_le(len, CALL_PACK_BYTES_MAX);
	ck_assert_mem_eq(bytes + len + CALL_PACK_SLACK, around,
			 sizeof(bytes) - len - CALL_PACK_SLACK);
	/* The bytes after the packed call belong to another call: unpacking ignores them. */
	memset(bytes + len, 0x5a, CALL_PACK_SLACK);
	memset(&back, 0xff, sizeof(back));
	call_unpack(&back, bytes, base_ns);
	ck_assert_mem_eq(&back, call, sizeof(back));
	return len;
}

START_TEST(any_call_survives_packing)
{
	unsigned seed = 7;

	for (int i = 0; i < RANDOM_CALLS; i++) {
		struct call call = random_call(&seed);

		check_round_trip(&call, random_number(&seed));
	}
}
END_TEST

START_TEST(longest_and_shortest_calls_fit)
{
	struct call call;

	memset(&call, 0xff, sizeof(call));
	call.thread_state = THREAD_STATE_COUNT - 1;
	call.state = CALL_STATE_COUNT - 1;
	call.waker_kind = WAKER_KIND_COUNT - 1;
	call.dur_ns = INT64_MIN;
	call.ret = INT64_MIN;
	call.enter_ns = 1ULL << 63;
	call.pid = 0xc0000000;
	call.tid = 0x40000000;
	ck_assert_uint_eq(check_round_trip(&call, 0), CALL_PACK_BYTES_MAX);
	memset(&call, 0, sizeof(call));
	call.dur_ns = -1;
	ck_assert_uint_eq(check_round_trip(&call, 0), 8);
}
END_TEST

START_TEST(usual_calls_are_small)
{
	/* A read by dd, with stale values in the unused registers. */
	struct call call = {
		.enter_ns = 81234567890123,
		.dur_ns = 431,
		.args = { 0, 0x55d0c8a1b000, 1, 0x7ffd12345678, 0x7f1234567890, 0x246 },
		.ret = 1,
		.pid = 123456,
		.tid = 123456,
		.comm_id = 300,
		.nr = 0,
		.cpu = 1,
		.state = CALL_DONE,
	};

	ck_assert_uint_le(check_round_trip(&call, call.enter_ns - 1000000), 48);
	/* A futex that a thread blocked on. */
	call.tid += 40;
	call.nr = 202;
	call.blocked_ns = 1000000;
	call.runnable_ns = 5000;
	call.stack_id = 70000;
	call.waker_tid = 123457;
	call.waker_stack_id = 70001;
	call.waker_kind = WAKER_THREAD;
	ck_assert_uint_le(check_round_trip(&call, call.enter_ns - 1000000), 72);
}
END_TEST

Suite *suite_call_pack(void);
Suite *suite_call_pack(void)
{
	Suite *suite = suite_create("call_pack");
	TCase *tests = tcase_create("call_pack");

	tcase_add_test(tests, any_call_survives_packing);
	tcase_add_test(tests, longest_and_shortest_calls_fit);
	tcase_add_test(tests, usual_calls_are_small);
	suite_add_tcase(suite, tests);
	return suite;
}
