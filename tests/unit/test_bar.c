#include "widgets/bar.h"

#include "tests/unit/canvas_rows.h"
#include "tests/unit/runner.h"

static struct canvas canvas;

static void set_up(void)
{
	canvas_init(&canvas, 1, 20, false);
}

static void tear_down(void)
{
	canvas_release(&canvas);
}

static const struct bar_part parts[] = {
	{ "cpu", 1, ROLE_GOOD },
	{ "blocked", 100, ROLE_BAR },
	{ NULL, 0, ROLE_WARN },
	{ "runnable", 1, ROLE_ERROR },
};

START_TEST(bar_gives_every_part_its_share)
{
	bar_draw(&canvas, 0, 0, 20, parts, 4, 0);
	assert_roles(&canvas, 0, "gbbbbbbbbbbbbbbbbbbe");
	assert_rows(&canvas, "█████ blocked ██████\n");
	for (int col = 0; col < 20; col++)
		ck_assert_int_eq(bar_at(20, parts, 4, 0, col), col == 0 ? 0 : col == 19 ? 3 : 1);
	ck_assert_int_eq(bar_at(20, parts, 4, 0, 20), -1);
	ck_assert_int_eq(bar_at(20, parts, 4, 0, -1), -1);
	ck_assert_int_eq(bar_at(20, parts, 4, 204, 15), -1);
}
END_TEST

START_TEST(bar_leaves_the_rest_of_a_greater_total_blank)
{
	bar_draw(&canvas, 0, 0, 20, parts, 4, 204);
	assert_roles(&canvas, 0, "gbbbbbbbbbettttttttt");
}
END_TEST

START_TEST(bar_of_nothing_is_blank)
{
	static const struct bar_part none[] = { { "a", 0, ROLE_BAR }, { "b", 0, ROLE_BAR } };

	bar_draw(&canvas, 0, 0, 20, none, 2, 0);
	bar_draw(&canvas, 0, 0, 0, parts, 4, 0);
	assert_rows(&canvas, "\n");
}
END_TEST

Suite *suite_bar(void);

Suite *suite_bar(void)
{
	Suite *suite = suite_create("bar");
	TCase *tcase = tcase_create("bar");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, bar_gives_every_part_its_share);
	tcase_add_test(tcase, bar_leaves_the_rest_of_a_greater_total_blank);
	tcase_add_test(tcase, bar_of_nothing_is_blank);
	suite_add_tcase(suite, tcase);
	return suite;
}
