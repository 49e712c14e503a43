#include "widgets/sparkline.h"

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

static const uint64_t values[] = { 99, 0, 1, 4, 8 };

START_TEST(the_newest_values_are_shown)
{
	sparkline_format(&out, values, 5, 4, 0);
	ck_assert_str_eq(out.data, " ▁▄█");
}
END_TEST

START_TEST(few_values_stand_at_the_right)
{
	sparkline_format(&out, values + 1, 4, 6, 16);
	ck_assert_str_eq(out.data, "   ▁▂▄");
}
END_TEST

START_TEST(zero_is_blank_and_small_values_are_not)
{
	static const uint64_t quiet[] = { 0, 0, 0 }, outlier[] = { 1, UINT64_MAX };

	sparkline_format(&out, quiet, 3, 3, 0);
	ck_assert_str_eq(out.data, "   ");
	str_clear(&out);
	sparkline_format(&out, outlier, 2, 2, 0);
	ck_assert_str_eq(out.data, "▁█");
	str_clear(&out);
	sparkline_format(&out, outlier, 2, 2, 1); /* above the maximum */
	ck_assert_str_eq(out.data, "██");
}
END_TEST

START_TEST(a_sparkline_has_the_given_width)
{
	sparkline_format(&out, values, 0, 3, 0);
	sparkline_format(&out, values, 5, 0, 0);
	sparkline_format(&out, values, 5, -1, 0);
	ck_assert_str_eq(out.data, "   ");
}
END_TEST

START_TEST(a_sparkline_is_drawn_in_ascii_too)
{
	struct canvas canvas;

	sparkline_format(&out, values + 1, 4, 5, 0);
	canvas_init(&canvas, 1, 5, true);
	canvas_textn(&canvas, 0, 0, ROLE_BAR, out.data, out.len);
	assert_rows(&canvas, "  .=@\n");
	canvas_release(&canvas);
}
END_TEST

Suite *suite_sparkline(void);

Suite *suite_sparkline(void)
{
	Suite *suite = suite_create("sparkline");
	TCase *tcase = tcase_create("sparkline");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, the_newest_values_are_shown);
	tcase_add_test(tcase, few_values_stand_at_the_right);
	tcase_add_test(tcase, zero_is_blank_and_small_values_are_not);
	tcase_add_test(tcase, a_sparkline_has_the_given_width);
	tcase_add_test(tcase, a_sparkline_is_drawn_in_ascii_too);
	suite_add_tcase(suite, tcase);
	return suite;
}
