#include "widgets/fbar.h"

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

START_TEST(click_is_the_key_under_it)
{
	static const struct fbar_item items[] = {
		{ "F1", "Help", 5 },
		{ "F2", "Views", 6 },
		{ "F10", "Quit", 7 },
	};

	fbar_draw(&canvas, 0, items, 3);
	assert_rows(&canvas, "F1Help F2Views\n"); /* no room for the third item */
	ck_assert_int_eq(fbar_at(20, items, 3, 0), 5);
	ck_assert_int_eq(fbar_at(20, items, 3, 5), 5);
	ck_assert_int_eq(fbar_at(20, items, 3, 6), -1);
	ck_assert_int_eq(fbar_at(20, items, 3, 13), 6);
	ck_assert_int_eq(fbar_at(20, items, 3, 15), -1);
	ck_assert_int_eq(fbar_at(30, items, 3, 15), 7);
}
END_TEST

START_TEST(keys_and_labels_look_apart)
{
	static const struct fbar_item item = { "F10", "Quit", 0 };

	fbar_draw(&canvas, 0, &item, 1);
	ck_assert_int_eq(canvas_cell(&canvas, 0, 2)->role, ROLE_KEY);
	ck_assert_int_eq(canvas_cell(&canvas, 0, 3)->role, ROLE_KEY_LABEL);
	ck_assert_int_eq(canvas_cell(&canvas, 0, 6)->role, ROLE_KEY_LABEL);
	ck_assert_int_eq(canvas_cell(&canvas, 0, 7)->role, ROLE_TEXT);
}
END_TEST

START_TEST(narrow_bar_draws_nothing)
{
	static const struct fbar_item item = { "F1", "Help", 5 };

	canvas_resize(&canvas, 1, 3);
	fbar_draw(&canvas, 0, &item, 1);
	assert_rows(&canvas, "\n");
	ck_assert_int_eq(fbar_at(3, &item, 1, 0), -1);
	ck_assert_int_eq(fbar_at(20, &item, 0, 0), -1);
	ck_assert_int_eq(fbar_at(20, &item, 1, -1), -1);
}
END_TEST

Suite *suite_fbar(void);

Suite *suite_fbar(void)
{
	Suite *suite = suite_create("fbar");
	TCase *tcase = tcase_create("fbar");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, click_is_the_key_under_it);
	tcase_add_test(tcase, keys_and_labels_look_apart);
	tcase_add_test(tcase, narrow_bar_draws_nothing);
	suite_add_tcase(suite, tcase);
	return suite;
}
