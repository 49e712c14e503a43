#include "widgets/time_bar.h"

#include "tests/unit/canvas_rows.h"
#include "tests/unit/runner.h"

#include <string.h>

static const uint32_t counts[] = { 8, 0, 4, 1, 8, 8, 2, 0, 0, 4 };
static struct time_bar bar;
static struct canvas canvas;

static void set_up(void)
{
	bar = (struct time_bar){
		.from_ns = 1000,
		.until_ns = 2000,
		.at_ns = 1500,
		.counts = counts,
		.count = 10,
		.counts_from_ns = 1000,
		.counts_until_ns = 2000,
		.known_ns = UINT64_MAX,
		.state = "paused",
		.short_state = "=",
		.state_role = ROLE_WARN,
		.at = "0.5us",
		.first = "0s",
		.last = "1us",
		.note = "of web1",
	};
	canvas_init(&canvas, 1, 60, false);
}

static void tear_down(void)
{
	canvas_release(&canvas);
}

static void draw_at(int rows, int cols)
{
	canvas_resize(&canvas, rows, cols);
	time_bar_draw(&bar, &canvas);
}

START_TEST(one_row_has_texts_and_line)
{
	draw_at(1, 60);
	assert_rows(&canvas, " paused  0.5us 0s ████    ▄▄▄▄▁▁▁███│████▂▂▂        ▄▄▄ 1us\n");
}
END_TEST

START_TEST(with_two_rows_the_line_has_its_own)
{
	draw_at(2, 40);
	assert_rows(&canvas, " 0s ████   ▄▄▄▁▁▁██│███▂▂▂      ▄▄▄ 1us\n paused  0.5us  of web1\n");
}
END_TEST

START_TEST(a_narrow_bar_is_the_line_alone)
{
	draw_at(1, 20);
	assert_rows(&canvas, " =  0.5us █ ▄▁│█▂ ▄\n");
	draw_at(1, 12);
	assert_rows(&canvas, " █ ▄▁█│▂  ▄\n");
	draw_at(1, 4);
	assert_rows(&canvas, "▅█│▂\n");
}
END_TEST

START_TEST(a_span_is_between_brackets)
{
	bar.has_span = true;
	bar.span_from_ns = 1200;
	bar.span_until_ns = 1800;
	bar.has_mark = true;
	bar.mark_ns = 1700;
	bar.state = bar.short_state = bar.at = bar.first = bar.last = bar.note = NULL;
	draw_at(1, 13);
	assert_rows(&canvas, " ██[▄▁│█(] ▄\n");
	assert_roles(&canvas, 0, "tddsbbsbksddt");
}
END_TEST

START_TEST(unknown_times_are_dotted)
{
	bar.known_ns = 1499;
	bar.at_ns = 1000;
	bar.state = bar.short_state = bar.at = bar.first = bar.last = bar.note = NULL;
	draw_at(1, 13);
	assert_rows(&canvas, " │█ ▄▁………………\n");
}
END_TEST

START_TEST(ascii_shows_the_same)
{
	canvas_release(&canvas);
	canvas_init(&canvas, 1, 60, true);
	bar.known_ns = 1900;
	time_bar_draw(&bar, &canvas);
	assert_rows(&canvas, " paused  0.5us 0s @@@@    ====...@@@|@@@@:::       ~~~~ 1us\n");
}
END_TEST

/* A click on a column moves the position to that column. */
START_TEST(a_column_is_the_time_that_it_shows)
{
	static const uint64_t lengths[] = { 1000, 999, 7, 123456789012345, UINT64_MAX - 1000 };

	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++)
		for (int rows = 1; rows <= 2; rows++)
			for (int cols = 20; cols <= 400; cols += 19) {
				uint64_t time_ns = 0, first = 0;
				bool any = false;

				bar.until_ns = bar.from_ns + lengths[i];
				canvas_resize(&canvas, rows, cols);
				for (int col = 0; col < cols; col++) {
					if (!time_bar_at(&bar, rows, cols, 0, col, &time_ns))
						continue;
					first = any ? first : time_ns;
					any = true;
					if (lengths[i] < (uint64_t)cols)
						continue;
					bar.at_ns = time_ns;
					time_bar_draw(&bar, &canvas);
					ck_assert_str_eq(canvas_cell(&canvas, 0, col)->text, "│");
				}
				ck_assert(any);
				ck_assert_uint_eq(first, bar.from_ns);
				ck_assert_uint_eq(time_ns, bar.until_ns);
				ck_assert(!time_bar_at(&bar, rows, cols, 1, cols / 2, &time_ns));
				ck_assert_uint_eq(time_bar_nearest(&bar, rows, cols, -5),
						  bar.from_ns);
				ck_assert_uint_eq(time_bar_nearest(&bar, rows, cols, cols + 5),
						  bar.until_ns);
			}
}
END_TEST

/* A single record in any part is visible on the line, at any width. */
START_TEST(every_part_is_in_some_column)
{
	uint32_t parts[97] = { 0 };

	bar.counts = parts;
	bar.count = 97;
	bar.at_ns = 5000;
	bar.state = bar.short_state = bar.at = bar.first = bar.last = bar.note = NULL;
	for (int cols = 10; cols <= 400; cols += 13)
		for (size_t i = 0; i < 97; i++) {
			struct str row = STR_INIT;

			parts[i] = 1;
			draw_at(1, cols);
			canvas_row_text(&canvas, 0, &row);
			ck_assert_msg(strstr(row.data, "█"), "part %zu in %d columns", i, cols);
			str_release(&row);
			parts[i] = 0;
		}
}
END_TEST

START_TEST(a_part_of_the_range_is_enlarged)
{
	bar.from_ns = 1400;
	bar.until_ns = 1700;
	bar.at_ns = 1400;
	bar.state = bar.short_state = bar.at = bar.first = bar.last = bar.note = NULL;
	draw_at(1, 14);
	assert_rows(&canvas, " │███████▂▂▂▂\n");
}
END_TEST

START_TEST(an_empty_bar_is_drawn)
{
	static const struct time_bar nothing;

	for (int rows = 1; rows <= 3; rows++)
		for (int cols = 1; cols <= 30; cols++) {
			canvas_resize(&canvas, rows, cols);
			time_bar_draw(&nothing, &canvas);
			ck_assert_uint_eq(time_bar_nearest(&nothing, rows, cols, 3), 0);
		}
}
END_TEST

Suite *suite_time_bar(void);

Suite *suite_time_bar(void)
{
	Suite *suite = suite_create("time_bar");
	TCase *tcase = tcase_create("time_bar");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, one_row_has_texts_and_line);
	tcase_add_test(tcase, with_two_rows_the_line_has_its_own);
	tcase_add_test(tcase, a_narrow_bar_is_the_line_alone);
	tcase_add_test(tcase, a_span_is_between_brackets);
	tcase_add_test(tcase, unknown_times_are_dotted);
	tcase_add_test(tcase, ascii_shows_the_same);
	tcase_add_test(tcase, a_column_is_the_time_that_it_shows);
	tcase_add_test(tcase, every_part_is_in_some_column);
	tcase_add_test(tcase, a_part_of_the_range_is_enlarged);
	tcase_add_test(tcase, an_empty_bar_is_drawn);
	suite_add_tcase(suite, tcase);
	return suite;
}
