#include "widgets/help.h"

#include "tests/unit/canvas_rows.h"
#include "tests/unit/runner.h"

static struct canvas canvas;
static struct help help;

static void set_up(void)
{
	canvas_init(&canvas, 5, 20, false);
	help_init(&help);
	help_add_heading(&help, "Moving");
	help_add_key(&help, "Up k", "one row up, and round at the end");
	help_add_key(&help, "Down", "down");
	help_add_heading(&help, "More");
	help_add(&help, ROLE_DIM, "two\nlines");
}

static void tear_down(void)
{
	help_release(&help);
	canvas_release(&canvas);
}

START_TEST(keys_stand_beside_wrapped_text)
{
	help_draw(&help, &canvas);
	assert_rows(&canvas, " Moving\n Up k  one row up,\n       and round at\n       the end\n"
			     " Down  down\n");
	ck_assert_uint_eq(help.drawn, 9);
}
END_TEST

START_TEST(many_keys_are_wrapped_between_keys)
{
	struct canvas wide;

	canvas_init(&wide, 5, 50, false);
	help_clear(&help);
	help_add_key(&help, "q F10 Ctrl-C \"Ctrl-X Ctrl-C\" \"Ctrl-X k\"", "leave");
	help_add_key(&help, "\" \"Ctrl-X o\" abcdefghijklmnop", "the key \" (a quote)");
	help_draw(&help, &wide);
	assert_rows(&wide,
		    " q F10 Ctrl-C              leave\n \"Ctrl-X Ctrl-C\"\n \"Ctrl-X k\"\n"
		    " \" \"Ctrl-X o\"              the key \" (a quote)\n abcdefghijklmnop\n");
	ck_assert_uint_eq(help.drawn, 5);
	canvas_release(&wide);
}
END_TEST

START_TEST(moves_stop_at_both_ends)
{
	help_draw(&help, &canvas);
	help_move(&help, MOVE_UP);
	ck_assert_uint_eq(help.top, 0);
	help_move(&help, MOVE_PAGE_DOWN);
	help_draw(&help, &canvas);
	assert_rows(&canvas, " Down  down\n\n More\n two\n lines\n");
	help_move(&help, MOVE_END);
	help_move(&help, MOVE_DOWN);
	ck_assert_uint_eq(help.top, 4);
	help_move(&help, MOVE_HALF_UP);
	ck_assert_uint_eq(help.top, 1);
	help_draw(&help, &canvas);
	assert_rows(&canvas, " Up k  one row up,\n       and round at\n       the end\n"
			     " Down  down\n\n");
}
END_TEST

START_TEST(search_continues_and_wraps)
{
	help_draw(&help, &canvas);
	ck_assert(help_search(&help, "DOWN", 1));
	ck_assert_uint_eq(help.top, 4);
	ck_assert(help_search(&help, "mo", 1));
	ck_assert_uint_eq(help.top, 6);
	ck_assert(help_search(&help, "mo", 1));
	ck_assert_uint_eq(help.top, 0);
	ck_assert(help_search(&help, "mo", -1));
	ck_assert_uint_eq(help.top, 6);
	help_draw(&help, &canvas);
	ck_assert_int_eq(canvas_cell(&canvas, 2, 1)->role, ROLE_MATCH);
	ck_assert(!help_search(&help, "nosuch", 1));
	ck_assert(!help_search(&help, "", 1));
}
END_TEST

START_TEST(any_width_shows_everything)
{
	help_add(&help, ROLE_TEXT, "日本語 averylongwordwithoutanyblanks");
	for (int cols = 1; cols < 40; cols++) {
		canvas_resize(&canvas, 3, cols);
		help_draw(&help, &canvas);
		ck_assert_uint_ge(help.drawn, help.count);
		help_move(&help, MOVE_END);
		help_draw(&help, &canvas);
	}
	help_clear(&help);
	help_draw(&help, &canvas);
	ck_assert_uint_eq(help.drawn, 0);
	ck_assert(!help_search(&help, "x", 1));
}
END_TEST

Suite *suite_help(void);

Suite *suite_help(void)
{
	Suite *suite = suite_create("help");
	TCase *tcase = tcase_create("help");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, keys_stand_beside_wrapped_text);
	tcase_add_test(tcase, many_keys_are_wrapped_between_keys);
	tcase_add_test(tcase, moves_stop_at_both_ends);
	tcase_add_test(tcase, search_continues_and_wraps);
	tcase_add_test(tcase, any_width_shows_everything);
	suite_add_tcase(suite, tcase);
	return suite;
}
