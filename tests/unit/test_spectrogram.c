#include "widgets/spectrogram.h"

#include "tests/unit/canvas_rows.h"
#include "tests/unit/runner.h"
#include "widgets/canvas/theme.h"

static struct canvas canvas;

static void set_up(void)
{
	canvas_init(&canvas, 4, 6, false);
}

static void tear_down(void)
{
	canvas_release(&canvas);
}

/* Three columns of four rows, the lowest first. */
static const uint64_t counts[] = {
	1, 0, 0, 0, 1, 10, 100, 1000, 0, 0, 0, 1000000,
};

static const struct spectrogram picture = { .counts = counts, .cols = 3, .rows = 4 };

START_TEST(levels_are_logarithmic)
{
	ck_assert_int_eq(spectrogram_level(0, 100), 0);
	ck_assert_int_eq(spectrogram_level(1, 100), 1);
	ck_assert_int_eq(spectrogram_level(1, 1), SPECTROGRAM_LEVELS);
	ck_assert_int_eq(spectrogram_level(10, 100), 3);
	ck_assert_int_eq(spectrogram_level(99, 100), 5);
	ck_assert_int_eq(spectrogram_level(100, 100), SPECTROGRAM_LEVELS);
	ck_assert_int_eq(spectrogram_level(UINT64_MAX, 5), SPECTROGRAM_LEVELS);
	ck_assert_int_eq(spectrogram_level(1, UINT64_MAX), 1);
}
END_TEST

START_TEST(the_last_column_is_at_the_right_and_the_first_row_at_the_bottom)
{
	spectrogram_draw(&picture, &canvas);
	assert_rows(&canvas, "    ▒█\n"
			     "    ░\n"
			     "    ░\n"
			     "   ░░\n");
	ck_assert_int_eq(canvas_cell(&canvas, 0, 5)->role, ROLE_HEAT_6);
	ck_assert_int_eq(canvas_cell(&canvas, 3, 3)->role, ROLE_HEAT_1);
}
END_TEST

START_TEST(the_picture_is_cut_at_the_left_and_on_top)
{
	struct canvas small = canvas_sub(&canvas, (struct rect){ 2, 0, 2, 2 });

	spectrogram_draw(&picture, &small);
	assert_rows(&canvas, "\n\n░\n░\n");
}
END_TEST

START_TEST(cursor_and_rectangle_are_painted_over_the_picture)
{
	struct spectrogram chosen = picture;

	chosen.has_cursor = chosen.has_area = true;
	chosen.cursor_col = 2;
	chosen.cursor_row = 3;
	chosen.area = (struct spectrogram_area){ 1, 2, 2, 3 };
	spectrogram_draw(&chosen, &canvas);
	ck_assert_int_eq(canvas_cell(&canvas, 0, 5)->role, ROLE_SELECTED);
	for (int row = 0; row < 4; row++)
		for (int col = 0; col < 6; col++)
			ck_assert_int_eq(canvas_cell(&canvas, row, col)->role == ROLE_SELECTED,
					 row < 2 && col >= 4);
}
END_TEST

/* A picture of four by four cells, all of the highest level. */
START_TEST(cells_inside_a_rectangle_stay_visible)
{
	static const uint64_t ones[] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
	struct spectrogram chosen = {
		.counts = ones, .cols = 4, .rows = 4, .has_area = true, .area = { 0, 2, 1, 3 }
	};

	spectrogram_draw(&chosen, &canvas);
	for (int row = 0; row < 4; row++)
		for (int col = 0; col < 6; col++) {
			bool in = row < 3 && col >= 2 && col < 5, middle = row == 1 && col == 3;
			ck_assert_int_eq(canvas_cell(&canvas, row, col)->role == ROLE_SELECTED,
					 in && !middle);
		}
}
END_TEST

START_TEST(a_canvas_position_is_mapped_to_a_cell)
{
	int col, row;

	ck_assert(spectrogram_at(&picture, 4, 6, 0, 5, &col, &row));
	ck_assert_int_eq(col, 2);
	ck_assert_int_eq(row, 3);
	ck_assert(spectrogram_at(&picture, 4, 6, 3, 3, &col, &row));
	ck_assert_int_eq(col, 0);
	ck_assert_int_eq(row, 0);
	ck_assert(!spectrogram_at(&picture, 4, 6, 3, 2, &col, &row));
	ck_assert(!spectrogram_at(&picture, 4, 6, 4, 3, &col, &row));
	ck_assert(!spectrogram_at(&picture, 6, 6, 0, 3, &col, &row));
}
END_TEST

Suite *suite_spectrogram(void);
Suite *suite_spectrogram(void)
{
	Suite *suite = suite_create("spectrogram");
	TCase *tcase = tcase_create("spectrogram");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, levels_are_logarithmic);
	tcase_add_test(tcase, the_last_column_is_at_the_right_and_the_first_row_at_the_bottom);
	tcase_add_test(tcase, the_picture_is_cut_at_the_left_and_on_top);
	tcase_add_test(tcase, cursor_and_rectangle_are_painted_over_the_picture);
	tcase_add_test(tcase, cells_inside_a_rectangle_stay_visible);
	tcase_add_test(tcase, a_canvas_position_is_mapped_to_a_cell);
	suite_add_tcase(suite, tcase);
	return suite;
}
