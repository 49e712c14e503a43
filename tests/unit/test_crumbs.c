#include "widgets/crumbs.h"

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

START_TEST(crumbs_remember_their_places)
{
	struct crumbs crumbs;

	crumbs_start(&crumbs, 1, 2);
	ck_assert(crumbs_add(&crumbs, &canvas, 0, 4, ROLE_TEXT, "all"));
	ck_assert(crumbs_add(&crumbs, &canvas, 0, -1, ROLE_DIM, ">"));
	ck_assert(crumbs_add(&crumbs, &canvas, 0, 6, ROLE_TEXT, "nginx"));
	ck_assert(!crumbs_add(&crumbs, &canvas, 0, 7, ROLE_TEXT, "too long"));
	assert_rows(&canvas, " all  >  nginx\n");
	ck_assert_int_eq(crumbs_at(&crumbs, 0), -1);
	ck_assert_int_eq(crumbs_at(&crumbs, 1), 4);
	ck_assert_int_eq(crumbs_at(&crumbs, 4), -1);
	ck_assert_int_eq(crumbs_at(&crumbs, 6), -1);
	ck_assert_int_eq(crumbs_at(&crumbs, 13), 6);
}
END_TEST

START_TEST(number_of_words_is_bounded)
{
	struct crumbs crumbs;
	int added = 0;

	canvas_resize(&canvas, 1, 400);
	crumbs_start(&crumbs, 0, 2);
	while (crumbs_add(&crumbs, &canvas, 0, added, ROLE_TEXT, "x") && added < 1000)
		added++;
	ck_assert_int_eq(added, CRUMBS_MAX);
	ck_assert_int_eq(crumbs_at(&crumbs, crumbs.spots[CRUMBS_MAX - 1].col), CRUMBS_MAX - 1);
	crumbs_start(&crumbs, 0, 2);
	ck_assert_int_eq(crumbs_at(&crumbs, 0), -1);
}
END_TEST

START_TEST(words_have_the_requested_distance)
{
	struct crumbs crumbs;

	crumbs_start(&crumbs, 0, 0);
	ck_assert(crumbs_add(&crumbs, &canvas, 0, 1, ROLE_TEXT, "a"));
	ck_assert(crumbs_add(&crumbs, &canvas, 0, 2, ROLE_TEXT, "b"));
	assert_rows(&canvas, "ab\n");
	ck_assert_int_eq(crumbs_at(&crumbs, 0), 1);
	ck_assert_int_eq(crumbs_at(&crumbs, 1), 2);
}
END_TEST

START_TEST(wide_words_are_hit_to_their_last_column)
{
	struct crumbs crumbs;

	crumbs_start(&crumbs, 0, 2);
	ck_assert(crumbs_add(&crumbs, &canvas, 0, 3, ROLE_TEXT, "日本"));
	ck_assert(crumbs_add(&crumbs, &canvas, 0, 4, ROLE_TEXT, "b"));
	assert_rows(&canvas, "日本  b\n");
	ck_assert_int_eq(crumbs_at(&crumbs, 3), 3);
	ck_assert_int_eq(crumbs_at(&crumbs, 4), -1);
	ck_assert_int_eq(crumbs_at(&crumbs, 6), 4);
}
END_TEST

Suite *suite_crumbs(void);

Suite *suite_crumbs(void)
{
	Suite *suite = suite_create("crumbs");
	TCase *tcase = tcase_create("crumbs");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, crumbs_remember_their_places);
	tcase_add_test(tcase, number_of_words_is_bounded);
	tcase_add_test(tcase, words_have_the_requested_distance);
	tcase_add_test(tcase, wide_words_are_hit_to_their_last_column);
	suite_add_tcase(suite, tcase);
	return suite;
}
