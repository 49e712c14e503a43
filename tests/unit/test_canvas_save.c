#include "widgets/canvas/canvas_save.h"

#include "tests/unit/runner.h"

#include <string.h>

static struct canvas canvas;
static struct str out;

static void setup(void)
{
	canvas_init(&canvas, 2, 8, false);
	canvas_text(&canvas, 0, 0, ROLE_TEXT, "plain");
	canvas_text(&canvas, 1, 0, ROLE_TEXT, "a");
	canvas_text(&canvas, 1, 1, ROLE_ERROR, "界!");
	str_init(&out);
}

static void teardown(void)
{
	canvas_release(&canvas);
	str_release(&out);
}

START_TEST(text_has_no_blanks_at_the_end)
{
	canvas_save_text(&canvas, &out);
	ck_assert_str_eq(out.data, "plain\na界!\n");
}
END_TEST

/* Each row begins and ends without colour; a wide character is written once. */
START_TEST(colours_are_those_of_the_theme)
{
	struct style style = theme_style(theme_default(), ROLE_ERROR, 256);
	struct str expected = STR_INIT;

	ck_assert_int_eq(style.bg, COLOR_DEFAULT);
	ck_assert_int_eq(style.attrs, 0);
	str_addf(&expected, "plain\na\033[0;38;5;%dm界!\033[0m\n", style.fg);
	canvas_save_ansi(&canvas, theme_default(), 256, &out);
	ck_assert_str_eq(out.data, expected.data);
	str_release(&expected);
}
END_TEST

/* The background of a selected row extends to its end. */
START_TEST(blanks_with_a_background_stay)
{
	struct str text = STR_INIT;

	canvas_paint(&canvas, (struct rect){ 0, 0, 1, 8 }, ROLE_SELECTED);
	canvas_save_ansi(&canvas, theme_default(), 256, &out);
	canvas_save_text(&canvas, &text);
	ck_assert_ptr_nonnull(strstr(out.data, "mplain   \033[0m\n"));
	ck_assert_str_eq(text.data, "plain\na界!\n");
	str_release(&text);
}
END_TEST

START_TEST(without_colours_there_are_attributes)
{
	canvas_save_ansi(&canvas, theme_default(), 0, &out);
	ck_assert_ptr_null(strstr(out.data, "38;5"));
	ck_assert_ptr_nonnull(strstr(out.data, "\033[0;1m界!"));
}
END_TEST

Suite *suite_canvas_save(void);
Suite *suite_canvas_save(void)
{
	Suite *suite = suite_create("canvas_save");
	TCase *tests = tcase_create("canvas_save");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, text_has_no_blanks_at_the_end);
	tcase_add_test(tests, colours_are_those_of_the_theme);
	tcase_add_test(tests, blanks_with_a_background_stay);
	tcase_add_test(tests, without_colours_there_are_attributes);
	suite_add_tcase(suite, tests);
	return suite;
}
