#include "widgets/menu.h"

#include "tests/unit/canvas_rows.h"
#include "tests/unit/runner.h"

static struct canvas canvas;
static struct menu menu;

static void set_up(void)
{
	canvas_init(&canvas, 8, 24, false);
	menu_init(&menu);
	menu_open(&menu, "Sort", false);
	menu_add(&menu, 10, "PID", NULL, false);
	menu_add(&menu, 11, "blocked", "F6", true);
	menu_add(&menu, 12, "calls", NULL, false);
}

static void tear_down(void)
{
	menu_release(&menu);
	canvas_release(&canvas);
}

START_TEST(box_is_centred)
{
	canvas_text(&canvas, 2, 0, ROLE_TEXT, "background, full length");
	menu_select(&menu, 12);
	menu_draw(&menu, &canvas);
	assert_rows(&canvas,
		    "\n    ┌─────Sort─────┐\nback│  PID         │gth\n"
		    "    │* blocked  F6 │\n    │  calls       │\n    └──────────────┘\n\n\n");
}
END_TEST

START_TEST(moves_wrap_around)
{
	menu_draw(&menu, &canvas);
	menu_move(&menu, MOVE_UP);
	ck_assert_int_eq(menu_selected(&menu), 12);
	menu_move(&menu, MOVE_DOWN);
	ck_assert_int_eq(menu_selected(&menu), 10);
	menu_move(&menu, MOVE_END);
	ck_assert_int_eq(menu_selected(&menu), 12);
	menu_move(&menu, MOVE_PAGE_DOWN);
	ck_assert_int_eq(menu_selected(&menu), 12);
	menu_move(&menu, MOVE_HOME);
	ck_assert_int_eq(menu_selected(&menu), 10);
}
END_TEST

START_TEST(long_lists_scroll)
{
	for (int i = 0; i < 50; i++)
		menu_add(&menu, 100 + i, "another", NULL, false);
	menu_draw(&menu, &canvas);
	ck_assert_int_eq(menu.box.rows, 8);
	menu_move(&menu, MOVE_END);
	menu_draw(&menu, &canvas);
	ck_assert_int_eq(menu_click(&menu, 6, menu.box.col + 2), 149);
	ck_assert_int_eq(menu_click(&menu, 1, menu.box.col + 2), 144);
	ck_assert_int_eq(menu_selected(&menu), 144);
}
END_TEST

START_TEST(clicks_inside_and_outside_are_distinguished)
{
	menu_draw(&menu, &canvas);
	ck_assert_int_eq(menu_click(&menu, menu.box.row + 2, menu.box.col + 1), 11);
	ck_assert_int_eq(menu_selected(&menu), 11);
	ck_assert_int_eq(menu_click(&menu, menu.box.row, menu.box.col), -1);
	ck_assert_int_eq(menu_click(&menu, menu.box.row - 1, menu.box.col), -2);
	ck_assert_int_eq(menu_click(&menu, menu.box.row + 1, menu.box.col + menu.box.cols), -2);
}
END_TEST

static const struct {
	const char *filter;
	int best;
	size_t count;
} filters[] = {
	{ "", 10, 3 },    { "bl", 11, 1 }, { "CALL", 12, 1 },
	{ "l", 11, 2 }, /* matches blocked and calls: the earlier position wins */
	{ "bkd", 11, 1 }, { "id", 10, 1 }, { "xyz", -1, 0 },
};

START_TEST(typed_text_filters_the_items)
{
	menu_set_filter(&menu, filters[_i].filter);
	ck_assert_uint_eq(menu.shown_count, filters[_i].count);
	ck_assert_int_eq(menu_selected(&menu), filters[_i].best);
}
END_TEST

START_TEST(filter_is_typed_and_erased)
{
	menu_open(&menu, "Palette", true);
	menu_add(&menu, 1, "quit", "q", false);
	menu_add(&menu, 2, "follow the queue", NULL, false);
	menu_set_filter(&menu, "t");
	ck_assert_int_eq(menu_selected(&menu), 2); /* the word "the" begins with t */
	menu_set_filter(&menu, "");
	menu_type(&menu, 'q');
	menu_type(&menu, 0xe9);
	menu_type(&menu, 27);
	ck_assert_str_eq(menu.filter.data, "qé");
	ck_assert_int_eq(menu_selected(&menu), -1);
	menu_move(&menu, MOVE_DOWN);
	ck_assert(menu_erase(&menu));
	ck_assert_int_eq(menu_selected(&menu), 1); /* "quit" begins with q */
	menu_draw(&menu, &canvas);
	assert_rows(&canvas, "\n┌───────Palette────────┐\n│> q                   │\n"
			     "│  quit              q │\n│  follow the queue    │\n"
			     "└──────────────────────┘\n\n\n");
	ck_assert(menu_erase(&menu));
	ck_assert(!menu_erase(&menu));
}
END_TEST

START_TEST(tiny_canvases_are_drawn_safely)
{
	menu.show_filter = true;
	for (int rows = 1; rows < 6; rows++) {
		for (int cols = 1; cols < 10; cols++) {
			canvas_resize(&canvas, rows, cols);
			menu_draw(&menu, &canvas);
			menu_move(&menu, MOVE_DOWN);
		}
	}
}
END_TEST

Suite *suite_menu(void);

Suite *suite_menu(void)
{
	Suite *suite = suite_create("menu");
	TCase *tcase = tcase_create("menu");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, box_is_centred);
	tcase_add_test(tcase, moves_wrap_around);
	tcase_add_test(tcase, long_lists_scroll);
	tcase_add_test(tcase, clicks_inside_and_outside_are_distinguished);
	tcase_add_loop_test(tcase, typed_text_filters_the_items, 0,
			    sizeof(filters) / sizeof(filters[0]));
	tcase_add_test(tcase, filter_is_typed_and_erased);
	tcase_add_test(tcase, tiny_canvases_are_drawn_safely);
	suite_add_tcase(suite, tcase);
	return suite;
}
