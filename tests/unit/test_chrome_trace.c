#include "engine/export/chrome_trace.h"

#include "tests/unit/runner.h"

#include <string.h>

static struct chrome_trace trace;
static struct syscalls *syscalls;
static struct str out;

static void setup(void)
{
	syscalls = syscalls_load(NULL);
	chrome_trace_init(&trace);
	str_init(&out);
	chrome_trace_begin(&trace, &out);
}

static void teardown(void)
{
	str_release(&out);
	chrome_trace_release(&trace);
	syscalls_free(syscalls);
}

static struct call wait_of(uint32_t tid, uint64_t enter_ns, int64_t dur_ns)
{
	return (struct call){
		.enter_ns = enter_ns,
		.dur_ns = dur_ns,
		.pid = 10,
		.tid = tid,
		.comm_id = tid,
		.nr = (uint16_t)syscalls_number(syscalls, "sched_yield", 11),
		.state = CALL_DONE,
	};
}

static void add(const struct call *call, const char *comm)
{
	const struct chrome_call more = { .comm = comm, .process = "server", .waker_pid = 10 };

	chrome_trace_add(&trace, &out, syscalls, call, &more);
}

START_TEST(a_call_is_a_slice_and_names_are_written_once)
{
	struct call call = wait_of(11, 1234567, 89);

	add(&call, "worker");
	call.enter_ns = 2000005;
	call.ret = -11;
	add(&call, "worker");
	chrome_trace_end(&trace, &out);
	ck_assert_str_eq(
		out.data,
		"[\n{\"ph\":\"M\",\"pid\":10,\"tid\":11,\"name\":\"thread_name\","
		"\"args\":{\"name\":\"worker\"}},\n"
		"{\"ph\":\"M\",\"pid\":10,\"tid\":11,\"name\":\"process_name\","
		"\"args\":{\"name\":\"server\"}},\n"
		"{\"ph\":\"X\",\"pid\":10,\"tid\":11,\"ts\":1234.567,\"dur\":0.089,"
		"\"name\":\"sched_yield\",\"cat\":\"syscall\",\"args\":{\"call\":"
		"\"sched_yield()\",\"result\":\"0\",\"blocked_ns\":0,\"runnable_ns\":0,"
		"\"cpu\":0}},\n"
		"{\"ph\":\"X\",\"pid\":10,\"tid\":11,\"ts\":2000.005,\"dur\":0.089,"
		"\"name\":\"sched_yield\",\"cat\":\"syscall,failed\",\"args\":{\"call\":"
		"\"sched_yield()\",\"result\":\"-1 EAGAIN (Resource temporarily unavailable)\","
		"\"blocked_ns\":0,\"runnable_ns\":0,\"cpu\":0}}\n]\n");
}
END_TEST

static struct call woken_from(uint64_t enter_ns, uint64_t blocked_ns)
{
	struct call woken = wait_of(11, enter_ns, 9000);

	woken.blocked_ns = blocked_ns;
	woken.waker_kind = WAKER_THREAD;
	woken.waker_tid = 12;
	return woken;
}

#define FLOW "\"name\":\"wake\",\"cat\":\"wake\",\"id\":1"
#define FLOW_BEGINS(ts) "{\"ph\":\"s\",\"pid\":10,\"tid\":12,\"ts\":" ts "," FLOW "}"
#define FLOW_ENDS "{\"ph\":\"f\",\"pid\":10,\"tid\":11,\"ts\":9.999," FLOW ",\"bp\":\"e\"}"

/* The arrow begins within the waker's call, at a time at which the wakeup was possible. */
START_TEST(an_arrow_begins_within_the_waker_s_call)
{
	struct call waker = wait_of(12, 5000, 400), woken = woken_from(1000, 3000);

	add(&waker, "waker");
	str_clear(&out);
	add(&woken, "worker");
	ck_assert_ptr_nonnull(strstr(out.data, FLOW_BEGINS("5.199") ",\n" FLOW_ENDS));
}
END_TEST

/* The waker's call often returns after that of the woken thread. */
START_TEST(an_arrow_waits_for_the_waker_s_call)
{
	struct call before = wait_of(12, 2000, 400), waker = wait_of(12, 5000, 400);
	struct call woken = woken_from(1000, 3000);

	add(&woken, "worker");
	add(&before, "waker");
	ck_assert_ptr_null(strstr(out.data, "\"ph\":\"s\""));
	add(&waker, "waker");
	ck_assert_ptr_nonnull(strstr(out.data, FLOW_BEGINS("5.199") ",\n" FLOW_ENDS));
}
END_TEST

#define MARK(ts, dur) \
	"{\"ph\":\"X\",\"pid\":10,\"tid\":12,\"ts\":" ts ",\"dur\":" dur \
	",\"name\":\"wake\",\"cat\":\"wake\",\"args\":{\"woken\":11}}"

/* A wakeup outside any call of the trace begins at a mark. */
START_TEST(wakeup_outside_a_call_has_a_mark)
{
	struct call before = wait_of(12, 2000, 400), behind = wait_of(12, 20000, 400);
	struct call woken = woken_from(1000, 3000);

	add(&before, "waker");
	add(&woken, "worker");
	add(&behind, "waker");
	ck_assert_ptr_nonnull(strstr(
		out.data, MARK("6.999", "0.001") ",\n" FLOW_BEGINS("6.999") ",\n" FLOW_ENDS));
	str_clear(&out);
	add(&woken, "worker");
	chrome_trace_end(&trace, &out);
	ck_assert_ptr_nonnull(strstr(out.data, "\"dur\":0.001,\"name\":\"wake\""));
}
END_TEST

/* Every arrow is written, even if no call of the waker follows. */
START_TEST(pending_arrows_are_bounded_and_all_written)
{
	struct call woken = woken_from(1000, 3000);
	const char *at;
	size_t begins = 0, ends = 0;

	for (unsigned i = 0; i < 3000; i++) {
		woken.enter_ns += 10000;
		woken.waker_tid = 100 + i % 7;
		add(&woken, "worker");
	}
	chrome_trace_end(&trace, &out);
	for (at = out.data; (at = strstr(at, "\"ph\":\"s\"")); at++)
		begins++;
	for (at = out.data; (at = strstr(at, "\"ph\":\"f\"")); at++)
		ends++;
	ck_assert_uint_eq(begins, 3000);
	ck_assert_uint_eq(ends, 3000);
}
END_TEST

START_TEST(losses_and_other_tracepoints_are_instants)
{
	struct call gap = { .enter_ns = 1000, .args = { 7 }, .state = CALL_GAP };
	struct call event = { .enter_ns = 2000, .pid = 3, .tid = 3, .state = CALL_EVENT };
	const struct chrome_call more = { .comm = "c",
					  .event = "sched:x",
					  .event_text = "a=\"1\"" };

	chrome_trace_add(&trace, &out, syscalls, &gap, &(struct chrome_call){ 0 });
	chrome_trace_add(&trace, &out, syscalls, &event, &more);
	ck_assert_ptr_nonnull(strstr(out.data, "\"name\":\"7 records lost\",\"cat\":\"lost\","
					       "\"s\":\"g\",\"args\":{}}"));
	ck_assert_ptr_nonnull(strstr(out.data, "\"name\":\"sched:x\",\"cat\":\"event\","
					       "\"s\":\"t\",\"args\":{\"text\":\"a=\\\"1\\\"\"}}"));
}
END_TEST

START_TEST(empty_trace_is_valid)
{
	chrome_trace_end(&trace, &out);
	ck_assert_str_eq(out.data, "[\n]\n");
}
END_TEST

Suite *suite_chrome_trace(void);
Suite *suite_chrome_trace(void)
{
	Suite *suite = suite_create("chrome_trace");
	TCase *tests = tcase_create("chrome_trace");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, a_call_is_a_slice_and_names_are_written_once);
	tcase_add_test(tests, an_arrow_begins_within_the_waker_s_call);
	tcase_add_test(tests, an_arrow_waits_for_the_waker_s_call);
	tcase_add_test(tests, wakeup_outside_a_call_has_a_mark);
	tcase_add_test(tests, pending_arrows_are_bounded_and_all_written);
	tcase_add_test(tests, losses_and_other_tracepoints_are_instants);
	tcase_add_test(tests, empty_trace_is_valid);
	suite_add_tcase(suite, tests);
	return suite;
}
