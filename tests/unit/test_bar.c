#include "widgets/bar.h"

#include "tests/unit/canvas_rows.h"
#include "tests/unit/runner.h"
#include "widgets/crumbs.h"
#include "widgets/fbar.h"
#include "widgets/status_line.h"
#include "widgets/title.h"

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

START_TEST(title_gives_way)
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

START_TEST(fbar_clicks_are_keys)
{
	static const struct fbar_item items[] = {
		{ "F1", "Help", 5 }, { "F2", "Views", 6 }, { "F10", "Quit", 7 },
	};

	fbar_draw(&canvas, 0, items, 3);
	assert_rows(&canvas, "F1Help F2Views\n"); /* no room for the third */
	ck_assert_int_eq(fbar_at(20, items, 3, 0), 5);
	ck_assert_int_eq(fbar_at(20, items, 3, 5), 5);
	ck_assert_int_eq(fbar_at(20, items, 3, 6), -1);
	ck_assert_int_eq(fbar_at(20, items, 3, 13), 6);
	ck_assert_int_eq(fbar_at(20, items, 3, 15), -1);
	ck_assert_int_eq(fbar_at(30, items, 3, 15), 7);
}
END_TEST

START_TEST(crumbs_remember_their_places)
{
	struct crumbs crumbs;

	crumbs_start(&crumbs, 1);
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

START_TEST(messages_end)
{
	struct status_line status;

	status_line_init(&status);
	ck_assert(!status_line_is_shown(&status, 0));
	status_line_set(&status, ROLE_ERROR, 1000, 500, "no %s", "way");
	ck_assert(status_line_is_shown(&status, 1499));
	status_line_draw(&status, &canvas, 0, 1499);
	assert_rows(&canvas, "no way\n");
	ck_assert_int_eq(canvas_cell(&canvas, 0, 0)->role, ROLE_ERROR);
	ck_assert(!status_line_is_shown(&status, 1500));
	status_line_set(&status, ROLE_TEXT, 1000, 0, "stays");
	status_line_set(&status, ROLE_TEXT, 1000, 0, "%s put", status.text.data);
	ck_assert(status_line_is_shown(&status, UINT64_MAX));
	ck_assert_str_eq(status.text.data, "stays put");
	status_line_clear(&status);
	ck_assert(!status_line_is_shown(&status, 1000));
	status_line_release(&status);
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
	tcase_add_test(tcase, title_gives_way);
	tcase_add_test(tcase, fbar_clicks_are_keys);
	tcase_add_test(tcase, crumbs_remember_their_places);
	tcase_add_test(tcase, messages_end);
	suite_add_tcase(suite, tcase);
	return suite;
}
