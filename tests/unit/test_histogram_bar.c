#include "widgets/histogram_bar.h"

#include "tests/unit/canvas_rows.h"
#include "tests/unit/runner.h"

static struct str out;

static void set_up(void)
{
	str_init(&out);
}

static void tear_down(void)
{
	str_release(&out);
}

START_TEST(steps_rise_with_counts)
{
	enum histogram_scale scale = _i ? HISTOGRAM_BAR_LOG : HISTOGRAM_BAR_LINEAR;
	static const uint64_t greatest[] = { 1, 2, 7, 8, 9, 1000, UINT64_MAX };

	for (size_t m = 0; m < sizeof(greatest) / sizeof(greatest[0]); m++) {
		uint64_t max = greatest[m];
		int last = 0;

		ck_assert_int_eq(histogram_bar_step(0, max, scale), 0);
		ck_assert_int_eq(histogram_bar_step(max, max, scale), 8);
		for (uint64_t count = 1; count < max && count < 3000; count++) {
			int step = histogram_bar_step(count, max, scale);

			ck_assert_msg(step >= 1 && step <= 8 && step >= last,
				      "%lu of %lu: %d after %d", (unsigned long)count,
				      (unsigned long)max, step, last);
			last = step;
		}
	}
	ck_assert_int_eq(histogram_bar_step(5, 0, scale), 0);
}
END_TEST

START_TEST(log_keeps_outliers_visible)
{
	ck_assert_int_eq(histogram_bar_step(1000, 1000000, HISTOGRAM_BAR_LINEAR), 1);
	ck_assert_int_ge(histogram_bar_step(1000, 1000000, HISTOGRAM_BAR_LOG), 4);
}
END_TEST

START_TEST(buckets_fill_the_columns)
{
	static const uint64_t counts[] = { 8, 0, 4, 1 };

	histogram_bar_format(&out, counts, 4, 4, HISTOGRAM_BAR_LINEAR);
	ck_assert_str_eq(out.data, "█ ▄▁");
	str_clear(&out);
	histogram_bar_format(&out, counts, 4, 2, HISTOGRAM_BAR_LINEAR);
	ck_assert_str_eq(out.data, "█▅");
	str_clear(&out);
	histogram_bar_format(&out, counts, 4, 8, HISTOGRAM_BAR_LINEAR);
	ck_assert_str_eq(out.data, "██  ▄▄▁▁");
	str_clear(&out);
	histogram_bar_format(&out, counts, 0, 3, HISTOGRAM_BAR_LINEAR);
	histogram_bar_format(&out, counts, 4, 0, HISTOGRAM_BAR_LINEAR);
	histogram_bar_format(&out, counts, 4, -1, HISTOGRAM_BAR_LINEAR);
	ck_assert_str_eq(out.data, "   ");
}
END_TEST

START_TEST(every_bucket_is_in_some_column)
{
	uint64_t counts[23] = { 0 };

	for (int cols = 1; cols < 60; cols++) {
		for (size_t i = 0; i < 23; i++) {
			struct str row = STR_INIT;

			counts[i] = 1;
			histogram_bar_format(&row, counts, 23, cols, HISTOGRAM_BAR_LOG);
			ck_assert_msg(row.len > (size_t)cols, "bucket %zu in %d columns", i, cols);
			counts[i] = 0;
			str_release(&row);
		}
	}
}
END_TEST

START_TEST(totals_do_not_wrap)
{
	static const uint64_t counts[] = { UINT64_MAX, 3, 1, 1 };

	histogram_bar_format(&out, counts, 4, 2, HISTOGRAM_BAR_LINEAR);
	ck_assert_str_eq(out.data, "█▁");
}
END_TEST

START_TEST(ascii_has_eight_steps_too)
{
	struct canvas canvas;

	for (int step = 0; step <= 8; step++)
		histogram_bar_add_step(&out, step);
	canvas_init(&canvas, 1, 9, true);
	canvas_textn(&canvas, 0, 0, ROLE_BAR, out.data, out.len);
	assert_rows(&canvas, " .:-=+*#@\n");
	canvas_release(&canvas);
}
END_TEST

Suite *suite_histogram_bar(void);

Suite *suite_histogram_bar(void)
{
	Suite *suite = suite_create("histogram_bar");
	TCase *tcase = tcase_create("histogram_bar");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_loop_test(tcase, steps_rise_with_counts, 0, 2);
	tcase_add_test(tcase, log_keeps_outliers_visible);
	tcase_add_test(tcase, buckets_fill_the_columns);
	tcase_add_test(tcase, every_bucket_is_in_some_column);
	tcase_add_test(tcase, totals_do_not_wrap);
	tcase_add_test(tcase, ascii_has_eight_steps_too);
	suite_add_tcase(suite, tcase);
	return suite;
}
