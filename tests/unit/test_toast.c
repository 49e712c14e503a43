#include "widgets/toast.h"

#include "tests/unit/canvas_rows.h"
#include "tests/unit/runner.h"

#include <stdio.h>

static struct toast toast;
static struct canvas canvas;

static void setup(void)
{
	toast_init(&toast);
	canvas_init(&canvas, 8, 30, false);
}

static void teardown(void)
{
	toast_release(&toast);
	canvas_release(&canvas);
}

START_TEST(the_box_is_drawn_over_the_rows)
{
	canvas_text(&canvas, 2, 0, ROLE_TEXT, "a row that goes on to the end.");
	toast_say(&toast, ROLE_ERROR, 0, 100, "It cannot be written");
	toast_draw(&toast, &canvas, 1, 50);
	assert_rows(&canvas, "\n     ┌──────────────────────┐\n"
			     "a row│ It cannot be written │.\n"
			     "     └──────────────────────┘\n\n\n\n\n");
}
END_TEST

START_TEST(long_text_is_wrapped_and_cut)
{
	toast_say(&toast, ROLE_ERROR, 0, 100,
		  "There is much more to be said about this than there is room for in a box on so "
		  "few rows and columns, so it ends");
	toast_draw(&toast, &canvas, 1, 50);
	assert_rows(&canvas, "\n ┌──────────────────────────┐\n"
			     " │ There is much more to be │\n"
			     " │ said about this than     │\n"
			     " │ there is room for in a   │\n"
			     " │ box on so few rows and … │\n"
			     " └──────────────────────────┘\n\n");
}
END_TEST

START_TEST(small_screens_show_it_in_the_last_row)
{
	struct canvas small = canvas_sub(&canvas, (struct rect){ 0, 0, 4, 20 });

	canvas_text(&canvas, 3, 0, ROLE_TEXT, "what was there before");
	toast_say(&toast, ROLE_ERROR, 0, 100, "It cannot be written");
	toast_draw(&toast, &small, 1, 50);
	assert_rows(&small, "\n\n\nIt cannot be written\n");
}
END_TEST

/* A message disappears after its time or when it is dismissed; then it is not drawn. */
START_TEST(a_message_expires_or_is_dismissed)
{
	toast_say(&toast, ROLE_ERROR, 1000, 500, "gone soon");
	ck_assert(toast_is_shown(&toast, 1499));
	ck_assert(!toast_is_shown(&toast, 1500));
	ck_assert(!toast_is_shown(&toast, 1000));
	toast_say(&toast, ROLE_ERROR, 1000, 0, "stays");
	ck_assert(toast_is_shown(&toast, UINT64_MAX));
	toast_draw(&toast, &canvas, 1, 50);
	ck_assert(!rect_is_empty(toast.box));
	toast_dismiss(&toast);
	ck_assert(rect_is_empty(toast.box));
	canvas_clear(&canvas);
	toast_draw(&toast, &canvas, 1, 50);
	assert_rows(&canvas, "\n\n\n\n\n\n\n\n");
}
END_TEST

START_TEST(messages_are_kept_newest_first)
{
	char text[20];

	toast_note(&toast, ROLE_TEXT, 1, "once");
	toast_note(&toast, ROLE_TEXT, 2, "again");
	toast_say(&toast, ROLE_TEXT, 3, 0, "again");
	ck_assert_str_eq(toast_message(&toast, 0)->text.data, "again");
	ck_assert_uint_eq(toast_message(&toast, 0)->times, 2);
	ck_assert_uint_eq(toast_message(&toast, 0)->said_ns, 3);
	ck_assert_str_eq(toast_message(&toast, 1)->text.data, "once");
	ck_assert_ptr_null(toast_message(&toast, 2));
	for (int i = 0; i < 3 * TOAST_HISTORY_MAX; i++) {
		snprintf(text, sizeof(text), "message %d", i);
		toast_note(&toast, ROLE_TEXT, 4, text);
	}
	ck_assert_str_eq(toast_message(&toast, 0)->text.data, text);
	snprintf(text, sizeof(text), "message %d", 2 * TOAST_HISTORY_MAX);
	ck_assert_str_eq(toast_message(&toast, TOAST_HISTORY_MAX - 1)->text.data, text);
	ck_assert_ptr_null(toast_message(&toast, TOAST_HISTORY_MAX));
}
END_TEST

/* Draw wide characters and words without blanks on any size: the canvas clips, nothing hangs. */
START_TEST(any_size_and_text_is_drawn)
{
	toast_say(&toast, ROLE_ERROR, 0, 0, "日本語日本語日本語日本語日本語日本語日本語\033[31m");
	for (int rows = 1; rows <= 8; rows++)
		for (int cols = 1; cols <= 30; cols++) {
			struct canvas part = canvas_sub(&canvas, (struct rect){ 0, 0, rows, cols });

			toast_draw(&toast, &part, 1, 0);
		}
}
END_TEST

Suite *suite_toast(void);

Suite *suite_toast(void)
{
	Suite *suite = suite_create("toast");
	TCase *tcase = tcase_create("toast");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, the_box_is_drawn_over_the_rows);
	tcase_add_test(tcase, long_text_is_wrapped_and_cut);
	tcase_add_test(tcase, small_screens_show_it_in_the_last_row);
	tcase_add_test(tcase, a_message_expires_or_is_dismissed);
	tcase_add_test(tcase, messages_are_kept_newest_first);
	tcase_add_test(tcase, any_size_and_text_is_drawn);
	suite_add_tcase(suite, tcase);
	return suite;
}
