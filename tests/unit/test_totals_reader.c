#include "engine/model/totals_reader.h"

#include "engine/base/clock.h"

#include <check.h>
#include <math.h>

struct look {
	const struct totals_reader *reader;
	double rate;
};

static void see(void *ctx, uint32_t pid, uint32_t tid, uint32_t nr, const struct totals_cell *cell)
{
	struct look *look = ctx;

	(void)pid;
	(void)tid;
	(void)nr;
	look->rate = totals_reader_rate(look->reader, cell);
}

static double rate_of(const struct totals_reader *reader)
{
	struct look look = { .reader = reader };

	totals_each(totals_reader_totals(reader), see, &look);
	return look.rate;
}

static void add_calls(struct totals *totals, int count)
{
	struct call call = { .pid = 7, .tid = 7, .dur_ns = 1000, .state = CALL_DONE };

	for (int i = 0; i < count; i++)
		totals_add(totals, &call);
}

/* A recount of older calls for a new filter is not a rate: until it is known, it is NaN. */
START_TEST(a_rate_needs_a_second_of_new_calls)
{
	struct totals_reader *reader =
		totals_reader_new(&(struct totals_reader_options){ .rates = true });
	struct model_taken *taken = totals_reader_taken(reader);
	uint64_t now = clock_now_ns();

	add_calls(taken->all, 100);
	totals_reader_add(reader, now, 0);
	ck_assert(!totals_reader_knows_rates(reader) && isnan(rate_of(reader)));
	add_calls(taken->all, 50);
	totals_reader_add(reader, now += NS_PER_S, 0);
	ck_assert(totals_reader_knows_rates(reader));
	ck_assert_double_eq_tol(rate_of(reader), 150, 15);

	taken->filtered = taken->refilling = true;
	taken->matched_version = 1;
	add_calls(taken->matched, 5000);
	totals_reader_add(reader, now += NS_PER_S / 10, 0);
	ck_assert(!totals_reader_knows_rates(reader) && isnan(rate_of(reader)));
	taken->refilling = false;
	add_calls(taken->matched, 20);
	totals_reader_add(reader, now += NS_PER_S / 2, 0);
	ck_assert(!totals_reader_knows_rates(reader));
	add_calls(taken->matched, 30);
	totals_reader_add(reader, now += NS_PER_S / 2, 0);
	ck_assert_double_eq_tol(rate_of(reader), 50, 0.1);
	totals_reader_free(reader);
}
END_TEST

Suite *suite_totals_reader(void);
Suite *suite_totals_reader(void)
{
	Suite *suite = suite_create("totals_reader");
	TCase *tcase = tcase_create("totals_reader");

	tcase_add_test(tcase, a_rate_needs_a_second_of_new_calls);
	suite_add_tcase(suite, tcase);
	return suite;
}
