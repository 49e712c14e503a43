#include "engine/base/histogram.h"

#include "tests/unit/runner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Powers of two, their neighbours, and many in between over the whole range. */
static size_t make_values(uint64_t *values, size_t max)
{
	unsigned seed = 1;
	size_t count = 0;

	for (unsigned bit = 0; bit < 64; bit++)
		for (int around = -2; around <= 2; around++)
			values[count++] = ((uint64_t)1 << bit) + (uint64_t)around;
	while (count < max) {
		uint64_t value = (uint64_t)rand_r(&seed) << 40 ^ (uint64_t)rand_r(&seed) << 20 ^
				 (uint64_t)rand_r(&seed);

		values[count++] = value >> (rand_r(&seed) % 64);
	}
	return count;
}

START_TEST(every_value_lies_in_its_bucket)
{
	static uint64_t values[100000];
	size_t count = make_values(values, 100000);

	for (size_t i = 0; i < count; i++) {
		unsigned bucket = histogram_bucket(values[i]);

		if (bucket >= HISTOGRAM_BUCKETS || values[i] < histogram_bucket_low(bucket) ||
		    values[i] > histogram_bucket_high(bucket))
			ck_abort_msg("%lu in bucket %u", (unsigned long)values[i], bucket);
	}
}
END_TEST

START_TEST(buckets_meet_without_gap_or_overlap)
{
	ck_assert_uint_eq(histogram_bucket_low(0), 0);
	for (unsigned bucket = 1; bucket < HISTOGRAM_BUCKETS; bucket++)
		ck_assert_msg(histogram_bucket_low(bucket) == histogram_bucket_high(bucket - 1) + 1,
			      "bucket %u", bucket);
	ck_assert(histogram_bucket_high(HISTOGRAM_BUCKETS - 1) == UINT64_MAX);
	ck_assert_uint_eq(histogram_bucket(UINT64_MAX), HISTOGRAM_BUCKETS - 1);
}
END_TEST

START_TEST(deviation_is_that_of_the_values)
{
	static const struct {
		const char *name;
		uint64_t from, step, count;
	} cases[] = {
		{ "none", 0, 0, 0 },     { "one", 1000, 0, 1 },       { "alike", 1000, 0, 100 },
		{ "few", 1000, 300, 5 }, { "many", 1000, 300, 1000 }, { "wide", 50, 100000, 9999 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		double mean = 0, squares = 0, exact, count = (double)cases[i].count;
		struct histogram h;

		histogram_init(&h);
		for (uint64_t j = 0; j < cases[i].count; j++) {
			histogram_add(&h, cases[i].from + j * cases[i].step);
			mean += (double)(cases[i].from + j * cases[i].step) / count;
		}
		for (uint64_t j = 0; j < cases[i].count; j++)
			squares += pow((double)(cases[i].from + j * cases[i].step) - mean, 2);
		exact = cases[i].count > 1 ? sqrt(squares / (count - 1)) : 0;
		ck_assert_msg(fabs(histogram_deviation(&h) - exact) <= exact / 64, "%s: %f, not %f",
			      cases[i].name, histogram_deviation(&h), exact);
		histogram_release(&h);
	}
}
END_TEST

START_TEST(a_quantile_is_at_most_3_percent_wrong)
{
	static uint64_t values[20000];
	size_t count = make_values(values, 20000);

	/* Equal values, enough to use buckets: the exact quantile is the value itself. */
	for (size_t i = 0; i < count; i++) {
		struct histogram h;
		uint64_t found;
		double error;

		histogram_init(&h);
		for (int k = 0; k < HISTOGRAM_FEW + 1; k++)
			histogram_add(&h, values[i]);
		ck_assert_uint_gt(h.groups, 0);
		found = histogram_quantile(&h, 0.5);
		histogram_release(&h);
		error = fabs((double)found - (double)values[i]);
		if (error > 0.03 * (double)values[i] || (values[i] < 64 && found != values[i]))
			ck_abort_msg("%lu came back as %lu", (unsigned long)values[i],
				     (unsigned long)found);
	}
}
END_TEST

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

START_TEST(quantiles_of_many_agree_with_sorting)
{
	static const double fractions[] = { 0.0, 0.001, 0.25, 0.5, 0.9, 0.95, 0.99, 0.999, 1.0 };
	static const size_t counts[] = { 1, 2, 7, 8, 9, 10, 100, 5000, 100000 };
	static uint64_t values[100000];

	for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++) {
		size_t count = counts[c];
		struct histogram h;
		unsigned seed = (unsigned)count;

		histogram_init(&h);
		for (size_t i = 0; i < count; i++) {
			values[i] = (uint64_t)rand_r(&seed) >> (rand_r(&seed) % 24);
			histogram_add(&h, values[i]);
		}
		qsort(values, count, sizeof(*values), compare);
		ck_assert_uint_eq(h.count, count);
		for (size_t f = 0; f < sizeof(fractions) / sizeof(fractions[0]); f++) {
			double rank = ceil(fractions[f] * (double)count);
			double right = (double)values[rank < 1 ? 0 : (size_t)rank - 1];
			double found = (double)histogram_quantile(&h, fractions[f]);

			ck_assert_msg(fabs(found - right) <= 0.03 * right,
				      "%zu values, %g: %g, not %g", count, fractions[f], found,
				      right);
		}
		histogram_release(&h);
	}
}
END_TEST

/* Merging must equal adding all values to one histogram. */
static void check_merge(size_t first, size_t second, unsigned shift)
{
	struct histogram a, b, both;
	unsigned seed = 7;

	histogram_init(&a);
	histogram_init(&b);
	histogram_init(&both);
	for (size_t i = 0; i < first + second; i++) {
		uint64_t value = (uint64_t)rand_r(&seed) >> (i < first ? 20 : shift);

		histogram_add(i < first ? &a : &b, value);
		histogram_add(&both, value);
	}
	histogram_merge(&a, &b);
	ck_assert_uint_eq(a.count, first + second);
	ck_assert_uint_eq(b.count, second);
	for (double f = 0; f <= 1; f += 0.05)
		ck_assert_msg(histogram_quantile(&a, f) == histogram_quantile(&both, f),
			      "%zu + %zu at %g", first, second, f);
	histogram_release(&a);
	histogram_release(&b);
	histogram_release(&both);
}

START_TEST(merging_equals_adding)
{
	static const size_t counts[] = { 0, 1, 3, 8, 9, 1000, 200000 };
	size_t n = sizeof(counts) / sizeof(counts[0]);

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++) {
			check_merge(counts[i], counts[k], 20);
			check_merge(counts[i], counts[k], 4);
		}
}
END_TEST

START_TEST(a_bucket_counts_beyond_16_bits)
{
	struct histogram h, sum;
	uint64_t cells[2];

	histogram_init(&h);
	histogram_init(&sum);
	for (int i = 0; i < 200000; i++)
		histogram_add(&h, 1000);
	for (int i = 0; i < 3; i++)
		histogram_add(&h, 5000000);
	for (int i = 0; i < 4; i++)
		histogram_merge(&sum, &h);
	ck_assert_uint_eq(sum.count, 800012);
	histogram_project(&sum, 1, 1000000, cells, 2);
	ck_assert_uint_eq(cells[0] + cells[1], 800012);
	/* 1000 lies on the edge of the two cells: all values of 1000 are in the same cell. */
	ck_assert(cells[1] == 12 || cells[1] == 800012);
	histogram_release(&h);
	histogram_release(&sum);
}
END_TEST

START_TEST(projection_puts_each_value_in_its_cell)
{
	static const struct {
		const char *name;
		uint64_t ns;
		size_t cell;
	} cases[] = {
		{ "nothing at all", 0, 0 },           { "far below", 3, 0 },
		{ "the first cell", 1100, 0 },        { "the second", 11000, 1 },
		{ "the third", 500000, 2 },           { "the last", 1500000, 3 },
		{ "far above", 1000000000000ULL, 3 }, { "the largest", UINT64_MAX, 3 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (int times = 1; times <= 20; times += 19) {
			struct histogram h;
			uint64_t cells[4];

			histogram_init(&h);
			for (int k = 0; k < times; k++)
				histogram_add(&h, cases[i].ns);
			histogram_project(&h, 1000, 10000000, cells, 4);
			for (size_t k = 0; k < 4; k++)
				ck_assert_msg(cells[k] ==
						      (k == cases[i].cell ? (uint64_t)times : 0),
					      "%s: cell %zu", cases[i].name, k);
			histogram_release(&h);
		}
}
END_TEST

START_TEST(clear_removes_all_counts)
{
	static const int counts[] = { 3, 100, 100000 };

	for (int i = 0; i < 3; i++) {
		struct histogram h;
		uint64_t cells[8];

		histogram_init(&h);
		for (int k = 0; k < counts[i]; k++)
			histogram_add(&h, 4000);
		histogram_clear(&h);
		ck_assert_uint_eq(h.count, 0);
		ck_assert_uint_eq(histogram_quantile(&h, 0.5), 0);
		histogram_add(&h, 77);
		ck_assert_uint_eq(h.count, 1);
		histogram_project(&h, 1, 1 << 20, cells, 8);
		for (int k = 0; k < 8; k++)
			ck_assert_uint_eq(cells[k], k == 2 ? 1 : 0);
		histogram_release(&h);
	}
}
END_TEST

Suite *suite_histogram(void);
Suite *suite_histogram(void)
{
	Suite *suite = suite_create("histogram");
	TCase *tests = tcase_create("histogram");

	tcase_set_timeout(tests, 20);
	tcase_add_test(tests, every_value_lies_in_its_bucket);
	tcase_add_test(tests, buckets_meet_without_gap_or_overlap);
	tcase_add_test(tests, a_quantile_is_at_most_3_percent_wrong);
	tcase_add_test(tests, quantiles_of_many_agree_with_sorting);
	tcase_add_test(tests, deviation_is_that_of_the_values);
	tcase_add_test(tests, merging_equals_adding);
	tcase_add_test(tests, a_bucket_counts_beyond_16_bits);
	tcase_add_test(tests, projection_puts_each_value_in_its_cell);
	tcase_add_test(tests, clear_removes_all_counts);
	suite_add_tcase(suite, tests);
	return suite;
}
