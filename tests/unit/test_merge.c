#include "engine/source/perf/merge.h"

#include "tests/unit/runner.h"

#include <stdlib.h>

/* Inputs as arrays of times. The merge must return all times up to the horizon, in order. */
struct inputs {
	uint64_t *times[256];
	size_t lengths[256], read[256];
};

static size_t run_merge(struct inputs *inputs, uint32_t count, uint64_t horizon_ns)
{
	struct merge merge;
	uint64_t last = 0, now;
	size_t total = 0;
	uint32_t input;

	merge_init(&merge, count);
	merge_begin(&merge, horizon_ns);
	for (uint32_t i = 0; i < count; i++)
		if (inputs->read[i] < inputs->lengths[i])
			merge_add(&merge, i, inputs->times[i][inputs->read[i]]);
	while (merge_any(&merge)) {
		input = merge_input(&merge);
		now = inputs->times[input][inputs->read[input]++];
		ck_assert_msg(now >= last, "input %u: %lu after %lu", input, (unsigned long)now,
			      (unsigned long)last);
		ck_assert_uint_le(now, horizon_ns);
		last = now;
		total++;
		if (inputs->read[input] < inputs->lengths[input])
			merge_next(&merge, inputs->times[input][inputs->read[input]]);
		else
			merge_drop(&merge);
	}
	merge_release(&merge);
	return total;
}

START_TEST(inputs_of_128_cpus_are_merged_in_order)
{
	static const uint32_t counts[] = { 1, 2, 3, 4, 7, 128, 256 };

	srandom(7);
	for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++) {
		struct inputs inputs = { .lengths = { 0 } };
		size_t total = 0, before_horizon = 0, got;
		const uint64_t horizon_ns = 30000;

		for (uint32_t i = 0; i < counts[c]; i++) {
			uint64_t at = 1;

			inputs.lengths[i] = (size_t)random() % 500;
			inputs.times[i] = calloc(inputs.lengths[i] + 1, sizeof(uint64_t));
			for (size_t j = 0; j < inputs.lengths[i]; j++) {
				at += (uint64_t)random() % 200; /* equal times occur, too */
				inputs.times[i][j] = at;
				before_horizon += at <= horizon_ns;
			}
			total += inputs.lengths[i];
		}
		got = run_merge(&inputs, counts[c], horizon_ns);
		ck_assert_msg(got == before_horizon, "%u inputs: %zu of %zu", counts[c], got,
			      before_horizon);
		got += run_merge(&inputs, counts[c], UINT64_MAX);
		ck_assert_uint_eq(got, total);
		for (uint32_t i = 0; i < counts[c]; i++)
			free(inputs.times[i]);
	}
}
END_TEST

START_TEST(ties_go_to_the_lower_input)
{
	struct merge merge;

	merge_init(&merge, 3);
	merge_begin(&merge, 100);
	merge_add(&merge, 2, 50);
	merge_add(&merge, 1, 50);
	merge_add(&merge, 0, 50);
	for (uint32_t input = 0; input < 3; input++) {
		ck_assert_uint_eq(merge_input(&merge), input);
		merge_drop(&merge);
	}
	ck_assert(!merge_any(&merge));
	merge_release(&merge);
}
END_TEST

START_TEST(the_horizon_is_inclusive)
{
	struct merge merge;

	merge_init(&merge, 2);
	merge_begin(&merge, 100);
	merge_add(&merge, 0, 100);
	merge_add(&merge, 1, 101);
	ck_assert(merge_any(&merge));
	ck_assert_uint_eq(merge_input(&merge), 0);
	merge_next(&merge, 101);
	ck_assert(!merge_any(&merge));
	merge_release(&merge);
}
END_TEST

Suite *suite_merge(void);
Suite *suite_merge(void)
{
	Suite *suite = suite_create("merge");
	TCase *tc = tcase_create("merge");

	tcase_add_test(tc, inputs_of_128_cpus_are_merged_in_order);
	tcase_add_test(tc, ties_go_to_the_lower_input);
	tcase_add_test(tc, the_horizon_is_inclusive);
	suite_add_tcase(suite, tc);
	return suite;
}
