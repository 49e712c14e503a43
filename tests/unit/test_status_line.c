#include "widgets/status_line.h"

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

START_TEST(messages_expire)
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

START_TEST(a_new_message_replaces_the_old)
{
	struct status_line status;

	status_line_init(&status);
	status_line_set(&status, ROLE_ERROR, 1000, 500, "a long one");
	status_line_set(&status, ROLE_GOOD, 1400, 500, "short");
	status_line_draw(&status, &canvas, 0, 1800); /* the first would have expired */
	assert_rows(&canvas, "short\n");
	ck_assert_int_eq(canvas_cell(&canvas, 0, 0)->role, ROLE_GOOD);
	status_line_release(&status);
}
END_TEST

START_TEST(a_long_message_ends_with_a_mark)
{
	struct status_line status;

	status_line_init(&status);
	status_line_set(&status, ROLE_TEXT, 0, 0, "%s", "more than the line has room for");
	status_line_draw(&status, &canvas, 0, 1);
	assert_rows(&canvas, "more than the line …\n");
	status_line_release(&status);
}
END_TEST

START_TEST(expired_messages_are_not_drawn)
{
	struct status_line status;

	status_line_init(&status);
	status_line_set(&status, ROLE_TEXT, 1000, 1, "gone");
	status_line_draw(&status, &canvas, 0, 1001);
	assert_rows(&canvas, "\n");
	ck_assert_uint_eq(status.text.len, 0);
	status_line_release(&status);
}
END_TEST

Suite *suite_status_line(void);

Suite *suite_status_line(void)
{
	Suite *suite = suite_create("status_line");
	TCase *tcase = tcase_create("status_line");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, messages_expire);
	tcase_add_test(tcase, a_new_message_replaces_the_old);
	tcase_add_test(tcase, a_long_message_ends_with_a_mark);
	tcase_add_test(tcase, expired_messages_are_not_drawn);
	suite_add_tcase(suite, tcase);
	return suite;
}
