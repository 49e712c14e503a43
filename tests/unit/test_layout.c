#include "widgets/layout.h"

#include "tests/unit/canvas_rows.h"
#include "tests/unit/runner.h"

#include <string.h>

enum { PROCESSES, CALLS, STACK };

/* The overview: processes beside calls, stacks below. */
static const struct layout_node overview[] = {
	{ .kind = LAYOUT_ROWS, .first = 1, .count = 2 },
	{ .kind = LAYOUT_COLS, .weight = 2, .first = 3, .count = 2 },
	{ .kind = LAYOUT_PANE, .pane = STACK, .min_rows = 4, .min_cols = 20, .keep = 1 },
	{ .kind = LAYOUT_PANE, .pane = PROCESSES, .min_rows = 4, .min_cols = 20, .keep = 3 },
	{ .kind = LAYOUT_PANE, .pane = CALLS, .min_rows = 4, .min_cols = 30, .keep = 2 },
};

static struct layout layout;

static void set_up(void)
{
	layout_init(&layout, overview, 5);
	layout.focus = PROCESSES;
}

static void arrange(int rows, int cols)
{
	layout_arrange(&layout, (struct rect){ 0, 0, rows, cols });
}

static void check(int pane, int row, int col, int rows, int cols)
{
	struct rect rect = layout_pane(&layout, pane);

	ck_assert_msg(rect.row == row && rect.col == col && rect.rows == rows && rect.cols == cols,
		      "pane %d: row %d col %d, %d x %d", pane, rect.row, rect.col, rect.rows,
		      rect.cols);
}

START_TEST(space_goes_by_weight)
{
	arrange(30, 101);
	check(PROCESSES, 0, 0, 20, 50);
	check(CALLS, 0, 51, 20, 50);
	check(STACK, 20, 0, 10, 101);
}
END_TEST

START_TEST(minimum_beats_weight)
{
	arrange(9, 51);
	check(STACK, 5, 0, 4, 51);
	check(PROCESSES, 0, 0, 5, 20);
	check(CALLS, 0, 21, 5, 30);
}
END_TEST

static const struct {
	const char *name;
	int rows, cols, focus;
	const char *shown; /* first letters of the shown panes */
} sizes[] = {
	{ "all", 30, 100, PROCESSES, "PCS" },
	{ "just all", 8, 51, PROCESSES, "PCS" },
	{ "too low", 7, 100, PROCESSES, "PC" },
	{ "too narrow: the stack would not help", 30, 50, PROCESSES, "PS" },
	{ "too narrow, calls focused", 30, 50, CALLS, "CS" },
	{ "too low and narrow", 5, 20, PROCESSES, "P" },
	{ "too low, the stack focused", 5, 20, STACK, "S" },
	{ "nothing fits", 1, 1, CALLS, "C" },
};

START_TEST(panes_fold_away)
{
	char shown[4] = "";
	int area = 0;

	layout.focus = sizes[_i].focus;
	arrange(sizes[_i].rows, sizes[_i].cols);
	for (int pane = PROCESSES; pane <= STACK; pane++) {
		struct rect rect = layout_pane(&layout, pane);

		if (!layout_is_shown(&layout, pane))
			continue;
		strncat(shown, &"PCS"[pane], 1);
		area += rect.rows * rect.cols;
		ck_assert_int_le(rect.row + rect.rows, sizes[_i].rows);
		ck_assert_int_le(rect.col + rect.cols, sizes[_i].cols);
	}
	ck_assert_msg(!strcmp(shown, sizes[_i].shown), "%s: %s", sizes[_i].name, shown);
	ck_assert_int_ge(area, sizes[_i].rows * (sizes[_i].cols - 1));
}
END_TEST

START_TEST(panes_stay_inside_at_any_size)
{
	for (int rows = 0; rows < 30; rows++) {
		for (int cols = 0; cols < 80; cols++) {
			arrange(rows, cols);
			for (int pane = PROCESSES; pane <= STACK; pane++) {
				struct rect rect = layout_pane(&layout, pane);

				ck_assert_int_ge(rect.row, 0);
				ck_assert_int_le(rect.row + rect.rows, rows);
				ck_assert_int_le(rect.col + rect.cols, cols);
			}
		}
	}
}
END_TEST

START_TEST(zoom_shows_the_focus_alone)
{
	layout.zoomed = true;
	layout.focus = STACK;
	arrange(30, 100);
	check(STACK, 0, 0, 30, 100);
	ck_assert(!layout_is_shown(&layout, PROCESSES));
	layout.zoomed = false;
	arrange(30, 100);
	ck_assert(layout_is_shown(&layout, PROCESSES));
}
END_TEST

START_TEST(focus_wraps_around)
{
	layout_focus_step(&layout, 1);
	ck_assert_int_eq(layout.focus, CALLS);
	layout_focus_step(&layout, 1);
	ck_assert_int_eq(layout.focus, STACK);
	layout_set_hidden(&layout, PROCESSES, true);
	layout_focus_step(&layout, 1);
	ck_assert_int_eq(layout.focus, CALLS);
	layout_focus_step(&layout, -1);
	ck_assert_int_eq(layout.focus, STACK);
	layout_set_hidden(&layout, STACK, true);
	ck_assert_int_eq(layout.focus, CALLS);
	arrange(30, 100);
	check(CALLS, 0, 0, 30, 100);
}
END_TEST

START_TEST(positions_find_panes_and_borders)
{
	arrange(30, 101);
	ck_assert_int_eq(layout_pane_at(&layout, 0, 49), PROCESSES);
	ck_assert_int_eq(layout_pane_at(&layout, 0, 50), -1);
	ck_assert_int_eq(layout_pane_at(&layout, 0, 51), CALLS);
	ck_assert_int_eq(layout_pane_at(&layout, 20, 0), STACK);
	ck_assert_int_eq(layout_pane_at(&layout, 30, 0), -1);
	ck_assert_int_eq(layout_border_at(&layout, 5, 50), 4);
	ck_assert_int_eq(layout_border_at(&layout, 20, 3), 2);
	ck_assert_int_eq(layout_border_at(&layout, 5, 49), -1);
	ck_assert_int_eq(layout_border_at(&layout, 0, 0), -1);
}
END_TEST

START_TEST(borders_can_be_dragged)
{
	arrange(30, 101);
	layout_drag(&layout, layout_border_at(&layout, 5, 50), 5, 60);
	layout_drag(&layout, layout_border_at(&layout, 20, 3), 15, 3);
	arrange(30, 101);
	check(PROCESSES, 0, 0, 15, 60);
	check(CALLS, 0, 61, 15, 40);
	check(STACK, 15, 0, 15, 101);
	layout_drag(&layout, 4, 0, 1000); /* beyond the edge: as far as minimum sizes allow */
	layout_drag(&layout, 2, -1000, 0);
	arrange(30, 101);
	check(CALLS, 0, 71, 4, 30);
	layout_drag(&layout, 0, 3, 3); /* not a border */
	layout_drag(&layout, 1, 3, 3);
	arrange(30, 101);
	check(CALLS, 0, 71, 4, 30);
}
END_TEST

START_TEST(lines_are_drawn_between_columns)
{
	struct canvas canvas;

	canvas_init(&canvas, 9, 51, false);
	arrange(9, 51);
	layout_draw_borders(&layout, &canvas);
	for (int row = 0; row < 9; row++)
		ck_assert_str_eq(canvas_cell(&canvas, row, 20)->text, row < 5 ? "│" : " ");
	canvas_release(&canvas);
}
END_TEST

Suite *suite_layout(void);

Suite *suite_layout(void)
{
	Suite *suite = suite_create("layout");
	TCase *tcase = tcase_create("layout");

	tcase_add_checked_fixture(tcase, set_up, NULL);
	tcase_add_test(tcase, space_goes_by_weight);
	tcase_add_test(tcase, minimum_beats_weight);
	tcase_add_loop_test(tcase, panes_fold_away, 0, sizeof(sizes) / sizeof(sizes[0]));
	tcase_add_test(tcase, panes_stay_inside_at_any_size);
	tcase_add_test(tcase, zoom_shows_the_focus_alone);
	tcase_add_test(tcase, focus_wraps_around);
	tcase_add_test(tcase, positions_find_panes_and_borders);
	tcase_add_test(tcase, borders_can_be_dragged);
	tcase_add_test(tcase, lines_are_drawn_between_columns);
	suite_add_tcase(suite, tcase);
	return suite;
}
