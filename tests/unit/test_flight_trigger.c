/* Which calls freeze the flight recorder, and how often. */
#include "engine/recorder/flight_trigger.h"

#include "engine/base/clock.h"
#include "engine/decode/syscalls.h"
#include "engine/filter/filter_names.h"
#include "tests/unit/records.h"
#include "tests/unit/runner.h"

#include <string.h>

#define NR_FUTEX 202
#define NR_READ 0

static struct syscalls *syscalls;
static struct filter_names names;
static struct model *model;
static struct flight_trigger trigger;
static struct call hits[16];
static size_t hit_count;

static void note_hit(void *ctx, const struct call *call, const struct model *from)
{
	ck_assert_ptr_eq(ctx, &trigger);
	ck_assert_ptr_eq(from, model);
	ck_assert_uint_lt(hit_count, 16);
	hits[hit_count++] = *call;
}

static void wait_for(const char *expression)
{
	struct filter_error error;
	struct filter *filter;

	ck_assert_msg(!filter_parse(&filter, expression, &names, &error), "%s", error.err.text);
	flight_trigger_init(&trigger, filter, note_hit, &trigger);
	model_set_tap(model, trigger.match ? flight_trigger_look : NULL, &trigger);
	filter_free(filter);
	hit_count = 0;
}

static void setup(void)
{
	struct model_options options = { .history_bytes = 1 << 20 };
	struct err err;

	syscalls = syscalls_load(NULL);
	filter_names_init(&names, syscalls);
	ck_assert(!model_new(&model, &options, &err));
}

static void teardown(void)
{
	flight_trigger_release(&trigger);
	model_free(model);
	syscalls_free(syscalls);
}

static void feed(struct record record)
{
	model_feed(model, &record);
}

/* Test the calls in flight. now_ns is a time at which a walk over them starts. */
static void look_at(uint64_t now_ns)
{
	flight_trigger_drained(&trigger, model, now_ns);
}

static const uint64_t MS = NS_PER_MS;

START_TEST(finished_call_triggers_once)
{
	wait_for("syscall == futex and dur > 50ms");
	feed(record_enter(1 * MS, 5, NR_FUTEX, 0));
	feed(record_exit(20 * MS, 5, NR_FUTEX, 0));
	feed(record_enter(30 * MS, 5, NR_READ, 0));
	feed(record_exit(100 * MS, 5, NR_READ, 0));
	ck_assert_uint_eq(hit_count, 0);
	feed(record_enter(110 * MS, 5, NR_FUTEX, 0));
	feed(record_exit(170 * MS, 5, NR_FUTEX, 0));
	ck_assert_uint_eq(hit_count, 1);
	ck_assert_uint_eq(hits[0].enter_ns, 110 * MS);
	feed(record_call(180 * MS, 250 * MS, 5, NR_FUTEX, 0, 0));
	ck_assert_uint_eq(hit_count, 2);
}
END_TEST

START_TEST(display_filter_does_not_affect_the_trigger)
{
	struct filter_error error;
	struct filter *filter;
	struct match *match;

	ck_assert(!filter_parse(&filter, "pid == 1", &names, &error));
	match = match_new(filter);
	model_set_match(model, match_call, match);
	wait_for("failed");
	feed(record_call(1 * MS, 2 * MS, 5, NR_READ, 0, -9));
	ck_assert_uint_eq(hit_count, 1);
	model_set_match(model, NULL, NULL);
	match_free(match);
	filter_free(filter);
}
END_TEST

START_TEST(hanging_call_triggers_once_while_it_hangs)
{
	wait_for("syscall == futex and dur > 50ms");
	look_at(100 * MS); /* the first walk finds no calls */
	feed(record_enter(110 * MS, 5, NR_FUTEX, 0));
	look_at(155 * MS);
	ck_assert_uint_eq(hit_count, 0);
	look_at(210 * MS);
	ck_assert_uint_eq(hit_count, 1);
	ck_assert_int_eq(hits[0].state, CALL_IN_FLIGHT);
	ck_assert_int_eq(hits[0].dur_ns, (int64_t)(100 * MS));
	look_at(300 * MS);
	feed(record_exit(400 * MS, 5, NR_FUTEX, 0));
	ck_assert_uint_eq(hit_count, 1);
	/* The next call of that thread triggers again. */
	feed(record_enter(500 * MS, 5, NR_FUTEX, 0));
	look_at(600 * MS);
	ck_assert_uint_eq(hit_count, 2);
}
END_TEST

START_TEST(calls_that_matched_before_arming_do_not_trigger)
{
	feed(record_enter(1 * MS, 5, NR_FUTEX, 0));
	feed(record_enter(2 * MS, 6, NR_FUTEX, 0));
	wait_for("dur > 50ms");
	look_at(100 * MS);
	look_at(200 * MS);
	feed(record_exit(300 * MS, 5, NR_FUTEX, 0));
	ck_assert_uint_eq(hit_count, 0);
}
END_TEST

/* True if an expression triggers while the call is in flight (by its age), and at its end. */
static const struct {
	const char *expression;
	bool in_flight, ended;
} ages[] = {
	{ "dur > 50ms", true, true },
	{ "dur >= 50ms and tid == 5", true, true },
	{ "dur > 50ms or failed", true, true },
	{ "dur > 1h", false, false },
	{ "dur < 1h", false, true }, /* the call can still take longer */
	{ "dur > 50ms and dur < 1h", false, true },
	{ "syscall == futex", false, true }, /* does not depend on the age */
	{ "dur > 50ms and failed", false, false },
	{ "dur > 50ms and ret == 0", false, true },
	{ "dur > 50ms and tid == 6", false, false },
};

START_TEST(only_the_age_triggers_in_flight)
{
	const char *text = ages[_i].expression;

	wait_for(text);
	look_at(60 * MS);
	feed(record_enter(70 * MS, 5, NR_FUTEX, 0));
	look_at(150 * MS);
	look_at(250 * MS);
	ck_assert_msg(hit_count == ages[_i].in_flight, "%s: %zu", text, hit_count);
	feed(record_exit(300 * MS, 5, NR_FUTEX, 0));
	ck_assert_msg(hit_count == (ages[_i].in_flight || ages[_i].ended), "%s: %zu", text,
		      hit_count);
}
END_TEST

START_TEST(empty_expression_never_triggers)
{
	wait_for("");
	ck_assert_ptr_null(trigger.match);
	look_at(100 * MS);
	feed(record_call(1 * MS, 200 * MS, 5, NR_FUTEX, 0, 0));
	ck_assert_uint_eq(hit_count, 0);
}
END_TEST

Suite *suite_flight_trigger(void);

Suite *suite_flight_trigger(void)
{
	Suite *suite = suite_create("flight_trigger");
	TCase *calls = tcase_create("calls");

	tcase_add_checked_fixture(calls, setup, teardown);
	tcase_add_test(calls, finished_call_triggers_once);
	tcase_add_test(calls, display_filter_does_not_affect_the_trigger);
	tcase_add_test(calls, hanging_call_triggers_once_while_it_hangs);
	tcase_add_test(calls, calls_that_matched_before_arming_do_not_trigger);
	tcase_add_loop_test(calls, only_the_age_triggers_in_flight, 0,
			    sizeof(ages) / sizeof(ages[0]));
	tcase_add_test(calls, empty_expression_never_triggers);
	suite_add_tcase(suite, calls);
	return suite;
}
