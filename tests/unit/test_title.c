#include "widgets/title.h"

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

START_TEST(the_right_text_is_omitted_first)
{
	title_draw(&canvas, 0, "Calls", "by age", true);
	assert_rows(&canvas, " Calls ───── by age\n");
	ck_assert_int_eq(canvas_cell(&canvas, 0, 1)->role, ROLE_FOCUS);
	title_draw(&canvas, 0, "Processes", "by blocked", false);
	assert_rows(&canvas, " Processes ─────────\n");
	title_draw(&canvas, 0, "A title that is too long", NULL, false);
	assert_rows(&canvas, " A title that is t…\n");
	canvas_resize(&canvas, 1, 2);
	title_draw(&canvas, 0, "Calls", "x", false);
	assert_rows(&canvas, "──\n");
}
END_TEST

START_TEST(the_line_fills_the_space_between)
{
	title_draw(&canvas, 0, "A", NULL, false);
	assert_rows(&canvas, " A ─────────────────\n");
	title_draw(&canvas, 0, "", "end", false);
	ck_assert_int_eq(canvas_cell(&canvas, 0, 18)->role, ROLE_TITLE);
	ck_assert_str_eq(canvas_cell(&canvas, 0, 18)->text, "d");
	ck_assert_int_eq(canvas_cell(&canvas, 0, 5)->role, ROLE_BORDER);
}
END_TEST

START_TEST(wide_characters_are_not_halved)
{
	canvas_resize(&canvas, 1, 8);
	title_draw(&canvas, 0, "日本語日本語", NULL, false);
	assert_rows(&canvas, " 日本…\n");
}
END_TEST

Suite *suite_title(void);

Suite *suite_title(void)
{
	Suite *suite = suite_create("title");
	TCase *tcase = tcase_create("title");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, the_right_text_is_omitted_first);
	tcase_add_test(tcase, the_line_fills_the_space_between);
	tcase_add_test(tcase, wide_characters_are_not_halved);
	suite_add_tcase(suite, tcase);
	return suite;
}
