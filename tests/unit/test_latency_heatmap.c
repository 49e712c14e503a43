#include "engine/base/histogram.h"
#include "engine/model/latency_heatmap.h"

#include "tests/unit/runner.h"

#include <string.h>

#define START 1234567890123ULL
#define SLOT LATENCY_SLOT_NS

static uint64_t all(const struct latency_heatmap *latency_heatmap, uint64_t first, size_t slots)
{
	uint64_t counts[LATENCY_STEPS] = { 0 }, sum = 0;

	latency_heatmap_sum(latency_heatmap, first, slots, counts);
	for (unsigned i = 0; i < LATENCY_STEPS; i++)
		sum += counts[i];
	return sum;
}

START_TEST(steps_meet_and_hold_their_durations)
{
	ck_assert_uint_eq(latency_step(0), 0);
	ck_assert_uint_eq(latency_step(127), 0);
	ck_assert_uint_eq(latency_step(UINT64_MAX), LATENCY_STEPS - 1);
	for (unsigned step = 1; step < LATENCY_STEPS; step++) {
		uint64_t low = latency_step_low(step);

		ck_assert_uint_eq(latency_step(low), step);
		ck_assert_uint_eq(latency_step(low - 1), step - 1);
	}
	ck_assert_uint_eq(latency_step_low(1 + 3 * LATENCY_PER_OCTAVE), 8 * LATENCY_LOW_NS);
}
END_TEST

START_TEST(a_call_is_in_the_slot_in_which_it_ended)
{
	struct latency_heatmap *latency_heatmap = latency_heatmap_new(START);
	uint64_t counts[LATENCY_STEPS] = { 0 };

	latency_heatmap_add(latency_heatmap, START - 1, 1000);
	ck_assert_uint_eq(all(latency_heatmap, 0, LATENCY_SLOTS), 0);
	latency_heatmap_add(latency_heatmap, START, 1000);
	latency_heatmap_add(latency_heatmap, START + SLOT - 1, 1000);
	latency_heatmap_add(latency_heatmap, START + SLOT, 2000);
	/* Calls arrive in nearly the order of their ends. */
	latency_heatmap_add(latency_heatmap, START + 5 * SLOT, 1000);
	latency_heatmap_add(latency_heatmap, START + SLOT + 1, 3000000);
	ck_assert_uint_eq(all(latency_heatmap, 0, 1), 2);
	ck_assert_uint_eq(all(latency_heatmap, 1, 1), 2);
	ck_assert_uint_eq(all(latency_heatmap, 2, 3), 0);
	ck_assert_uint_eq(all(latency_heatmap, 0, 10), 5);
	latency_heatmap_sum(latency_heatmap, 1, 1, counts);
	ck_assert_uint_eq(counts[latency_step(2000)], 1);
	ck_assert_uint_eq(counts[latency_step(3000000)], 1);
	latency_heatmap_clear(latency_heatmap);
	ck_assert_uint_eq(all(latency_heatmap, 0, 10), 0);
	latency_heatmap_add(latency_heatmap, START + SLOT, 2000);
	ck_assert_uint_eq(all(latency_heatmap, 1, 1), 1);
	latency_heatmap_free(latency_heatmap);
}
END_TEST

START_TEST(only_the_oldest_slots_are_evicted)
{
	struct latency_heatmap *latency_heatmap = latency_heatmap_new(START);

	for (uint64_t slot = 0; slot < 3 * LATENCY_SLOTS; slot += 2)
		latency_heatmap_add(latency_heatmap, START + slot * SLOT, 5);
	ck_assert_uint_eq(all(latency_heatmap, 0, 3 * LATENCY_SLOTS), LATENCY_SLOTS / 2);
	/* The newest slot is 3 * LATENCY_SLOTS - 2, so the oldest even one is 2 * LATENCY_SLOTS. */
	ck_assert_uint_eq(all(latency_heatmap, 2 * LATENCY_SLOTS, 1), 1);
	ck_assert_uint_eq(all(latency_heatmap, 2 * LATENCY_SLOTS - 2, 1), 0);
	latency_heatmap_add(latency_heatmap, START + (2 * LATENCY_SLOTS - 2) * SLOT, 5);
	ck_assert_uint_eq(all(latency_heatmap, 0, 3 * LATENCY_SLOTS), LATENCY_SLOTS / 2);
	/* A call far ahead evicts all slots. */
	latency_heatmap_add(latency_heatmap, START + 1000 * LATENCY_SLOTS * SLOT, 5);
	ck_assert_uint_eq(all(latency_heatmap, 0, 3 * LATENCY_SLOTS), 0);
	ck_assert_uint_eq(all(latency_heatmap, 1000 * LATENCY_SLOTS - 10, 20), 1);
	latency_heatmap_free(latency_heatmap);
}
END_TEST

START_TEST(aggregates_are_counted_by_their_durations)
{
	struct latency_heatmap *latency_heatmap = latency_heatmap_new(START);
	uint32_t steps[HISTOGRAM_STEPS] = { 0 };
	struct record record = { .time_ns = START + 7 * SLOT, .kind = RECORD_AGGREGATE };
	unsigned bucket = histogram_bucket(40000);
	uint64_t counts[LATENCY_STEPS] = { 0 };

	steps[bucket % HISTOGRAM_STEPS] = 70000;
	record.aggregate.group = bucket / HISTOGRAM_STEPS;
	record.aggregate.calls = 70000;
	record.aggregate.steps = steps;
	latency_heatmap_add_aggregate(latency_heatmap, &record);
	latency_heatmap_sum(latency_heatmap, 7, 1, counts);
	ck_assert_uint_eq(counts[latency_step(40000)], 70000);
	ck_assert_uint_eq(all(latency_heatmap, 0, 100), 70000);
	record.aggregate.group = HISTOGRAM_GROUPS;
	latency_heatmap_add_aggregate(latency_heatmap, &record);
	ck_assert_uint_eq(all(latency_heatmap, 0, 100), 70000);
	latency_heatmap_free(latency_heatmap);
}
END_TEST

Suite *suite_latency_heatmap(void);
Suite *suite_latency_heatmap(void)
{
	Suite *suite = suite_create("latency_heatmap");
	TCase *tcase = tcase_create("latency_heatmap");

	tcase_add_test(tcase, steps_meet_and_hold_their_durations);
	tcase_add_test(tcase, a_call_is_in_the_slot_in_which_it_ended);
	tcase_add_test(tcase, only_the_oldest_slots_are_evicted);
	tcase_add_test(tcase, aggregates_are_counted_by_their_durations);
	suite_add_tcase(suite, tcase);
	return suite;
}
