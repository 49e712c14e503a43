/* The comparison of two sides on the screen: cells, order, histograms, the view. */
#include "tests/unit/recorded_shell.h"
#include "tests/unit/runner.h"
#include "tui/compare/change_shapes.h"
#include "tui/compare/changes_columns.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPLORED "tests/replay/contention.data"
#define OTHER "tests/replay/shop.data"

/* ---- cells ---- */

static struct engine_row was = {
	.name = "futex",
	.calls = 200,
	.errors = 0,
	.total_ns = 2000000,
	.p50_ns = 5000,
	.p95_ns = 9000,
	.p99_ns = 20000,
	.histogram = { 0, 100, 100 },
};
static struct engine_row is = {
	.name = "futex",
	.calls = 400,
	.errors = 100,
	.total_ns = 40000000,
	.p50_ns = 50000,
	.p95_ns = 9000,
	.p99_ns = 25000000,
	.errnos = { { .number = 110, .count = 100 } },
	.errno_count = 1,
	.histogram = { 0, 1, 0, 0, 399 },
};
static const struct comparison pair = { .sides = { { .seconds = 1 }, { .seconds = 2 } } };

static void assert_cell(const struct comparison_row *row, enum changes_column column,
			const char *text, enum role ratio_role)
{
	struct table_cell cell = { .text = STR_INIT };

	changes_cell(&pair, row, "futex", column, &cell);
	ck_assert_msg(!strcmp(cell.text.data, text), "%s is \"%s\", not \"%s\"",
		      changes_columns[column].title, cell.text.data, text);
	if (cell.span_count)
		ck_assert_int_eq(cell.spans[0].role, ratio_role);
	str_release(&cell.text);
}

START_TEST(cells_show_both_sides)
{
	struct comparison_row row = {
		.name = "futex",
		.sides = { &was, &is },
		.changes = CHANGE_SLOWER | CHANGE_FAILS,
		.errnos = { { .number = 110, .count = 100 } },
		.errno_count = 1,
	};

	assert_cell(&row, CHANGES_NAME, "futex", ROLE_NAME);
	assert_cell(&row, CHANGES_WHAT, "slower 1250x, newly failing ETIMEDOUT 100", ROLE_TEXT);
	assert_cell(&row, CHANGES_CALLS, "   200→400    2.0x", ROLE_DIM);
	assert_cell(&row, CHANGES_RATE, "   200→200    ", ROLE_DIM);
	assert_cell(&row, CHANGES_MEAN, "10.0us→100us  10x", ROLE_SLOW);
	assert_cell(&row, CHANGES_P50, "5.00us→50.0us 10x", ROLE_SLOW);
	assert_cell(&row, CHANGES_P95, "9.00us→9.00us ", ROLE_SLOW);
	assert_cell(&row, CHANGES_P99, "20.0us→25.0ms >999x", ROLE_SLOW);
	assert_cell(&row, CHANGES_ERRORS, "     0→25     ", ROLE_ERROR);
	row.sides[COMPARISON_A] = NULL;
	assert_cell(&row, CHANGES_P50, "     -→50.0us ", ROLE_SLOW);
}
END_TEST

START_TEST(order_is_by_ratio)
{
	struct engine_row half = was, alike = was;
	struct comparison_row grew = { .sides = { &was, &is }, .impact = 1 };
	struct comparison_row fell = { .sides = { &was, &half }, .impact = 3 };
	struct comparison_row same = { .sides = { &was, &alike }, .impact = 2 };
	struct comparison_row new = { .sides = { NULL, &alike } };

	half.p50_ns = was.p50_ns / 2;
	ck_assert_int_gt(changes_compare(&pair, &grew, &fell, CHANGES_P50), 0);
	ck_assert_int_gt(changes_compare(&pair, &fell, &same, CHANGES_P50), 0);
	ck_assert_int_gt(changes_compare(&pair, &new, &grew, CHANGES_P50), 0);
	ck_assert_int_gt(changes_compare(&pair, &fell, &same, CHANGES_TIME), 0);
	ck_assert_int_lt(changes_compare(&pair, &grew, &same, CHANGES_TIME), 0);
	same.changes = fell.changes = CHANGE_FASTER;
	same.rank = 2;
	fell.rank = 1;
	ck_assert_int_gt(changes_compare(&pair, &same, &fell, CHANGES_WHAT), 0);
}
END_TEST

/* ---- histograms ---- */

static void draw_shapes(const struct comparison_row *row, int rows, int cols, struct canvas *canvas)
{
	canvas_init(canvas, rows, cols, true);
	change_shapes_draw(row, canvas);
}

static void assert_has(const struct canvas *canvas, int row, const char *text)
{
	struct str line = STR_INIT;

	canvas_row_text(canvas, row, &line);
	ck_assert_msg(strstr(line.data, text), "\"%s\" is not in \"%s\"", text, line.data);
	str_release(&line);
}

START_TEST(histograms_have_the_same_steps_and_scale)
{
	const struct comparison_row row = { .name = "futex", .sides = { &was, &is } };
	struct canvas canvas;

	draw_shapes(&row, 14, 80, &canvas);
	assert_has(&canvas, 0, "A p50 5.00us, p99 20.0us");
	assert_has(&canvas, 0, "B p50 50.0us, p99 25.0ms");
	assert_has(&canvas, 2, "3.16us+ ");
	assert_has(&canvas, 2, " 100  50%");
	assert_has(&canvas, 5, " 399 100%");
	assert_has(&canvas, 13, "ETIMED");
	assert_has(&canvas, 13, " 100  25%");
	/* The bar of 50 % is half as long as the bar of 100 %. */
	ck_assert_str_eq(canvas_cell(&canvas, 5, 8 + 36 + 20)->text, "@");
	ck_assert_str_eq(canvas_cell(&canvas, 2, 8)->text, "@");
	ck_assert_str_eq(canvas_cell(&canvas, 2, 8 + 14)->text, " ");
	canvas_release(&canvas);
	/* With fewer lines, each line covers more steps. */
	draw_shapes(&row, 5, 80, &canvas);
	assert_has(&canvas, 1, " 200 100%");
	assert_has(&canvas, 2, " 399 100%");
	assert_has(&canvas, 4, "ETIMED");
	canvas_release(&canvas);
	/* A canvas that is too small: nothing is written outside. */
	draw_shapes(&row, 1, 4, &canvas);
	canvas_release(&canvas);
}
END_TEST

START_TEST(a_side_without_calls_has_no_bars)
{
	const struct comparison_row row = { .name = "futex", .sides = { NULL, &is } };
	struct canvas canvas;

	draw_shapes(&row, 14, 80, &canvas);
	assert_has(&canvas, 0, "A no calls");
	assert_has(&canvas, 5, " 399 100%");
	canvas_release(&canvas);
}
END_TEST

/* ---- the view ---- */

static void compare_with(struct recorded_shell *on, const char *file)
{
	changes_open(&on->shell.changes, file);
	do {
		recorded_shell_settle(on);
		usleep(1000);
	} while (on->shell.changes.wanted ||
		 (!on->shell.changes.shown &&
		  on->shell.changes.status.state != COUNTERPART_REFUSED));
	recorded_shell_settle(on);
}

static void open_other(struct recorded_shell *on, const char *file)
{
	recorded_shell_open(on, EXPLORED);
	recorded_shell_press(on, "U");
	ck_assert_int_ge(recorded_shell_row(on, "nothing to compare with"), 0);
	compare_with(on, file);
}

START_TEST(view_compares_with_another_recording)
{
	struct recorded_shell on;

	open_other(&on, OTHER);
	ck_assert_int_ge(recorded_shell_row(&on, "B shop.data"), 0);
	ck_assert_int_ge(recorded_shell_row(&on, "fewer calls 5.9x"), 0);
	ck_assert_int_ge(recorded_shell_row(&on, "Callers of futex: 3"), 0);
	ck_assert_int_ge(recorded_shell_row(&on, "Durations: futex"), 0);
	recorded_shell_press(&on, "Tab");
	ck_assert_int_ge(recorded_shell_row(&on, "Durations: contention futex"), 0);
	recorded_shell_press(&on, "Enter");
	ck_assert_ptr_eq(on.shell.shown, &on.shell.views[SHELL_CALLS]);
	ck_assert_str_eq(filter_stack_text(&on.shell.session.filter_stack),
			 "pid == 23916 && syscall == futex");
	recorded_shell_close(&on);
}
END_TEST

START_TEST(names_of_processes_are_compared_too)
{
	struct recorded_shell on;

	open_other(&on, OTHER);
	recorded_shell_press(&on, "b");
	recorded_shell_press(&on, "Down");
	recorded_shell_press(&on, "Enter");
	ck_assert_int_ge(recorded_shell_row(&on, "process names"), 0);
	recorded_shell_type(&on, "/shop");
	recorded_shell_press(&on, "Enter");
	ck_assert_int_ge(recorded_shell_row(&on, "System calls of shop"), 0);
	/* shop is only in the other recording. */
	recorded_shell_press(&on, "Enter");
	ck_assert_int_ge(recorded_shell_row(&on, "No such calls in"), 0);
	recorded_shell_close(&on);
}
END_TEST

START_TEST(unreadable_file_is_reported)
{
	struct recorded_shell on;

	open_other(&on, "tests/replay/neutral.py");
	ck_assert_int_ge(
		recorded_shell_row(&on, "tests/replay/neutral.py: not a readable perf.data"), 0);
	recorded_shell_close(&on);
}
END_TEST

/*
 * Compare with two recordings in turn while another view is shown, then show the comparison. Its
 * rows must point into the result from which they were read, even after newer results were made or
 * freed.
 */
static void compare_in_turns(struct recorded_shell *on)
{
	static const char *const files[] = { EXPLORED, OTHER };

	recorded_shell_press(on, "Tab");
	recorded_shell_press(on, "z");
	for (int i = 0; i < 6; i++) {
		recorded_shell_press(on, "1");
		compare_with(on, files[i % 2]);
		if (i % 3 == 1) {
			changes_open(&on->shell.changes, files[!(i % 2)]);
			recorded_shell_settle(on);
		}
		recorded_shell_press(on, "U");
		recorded_shell_settle(on);
		ck_assert_int_ge(recorded_shell_row(on, on->shell.changes.shown ? "Callers of "
										: "Its callers"),
				 0);
		recorded_shell_press(on, "Down");
		recorded_shell_press(on, "Up");
	}
}

START_TEST(rows_stay_valid_while_shown)
{
	struct recorded_shell on;

	open_other(&on, OTHER);
	compare_in_turns(&on);
	recorded_shell_close(&on);
}
END_TEST

START_TEST(rows_made_by_another_thread_stay_valid)
{
	struct job_queue *job_queue;
	struct recorded_shell on;
	struct err err;

	open_other(&on, OTHER);
	ck_assert_msg(!job_queue_new(&job_queue, &err), "%s", err.text);
	on.shell.session.job_queue = job_queue;
	compare_in_turns(&on);
	recorded_shell_close(&on);
	job_queue_free(job_queue);
}
END_TEST

Suite *suite_changes(void);
Suite *suite_changes(void)
{
	Suite *suite = suite_create("changes");
	TCase *tcase = tcase_create("changes");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, cells_show_both_sides);
	tcase_add_test(tcase, order_is_by_ratio);
	tcase_add_test(tcase, histograms_have_the_same_steps_and_scale);
	tcase_add_test(tcase, a_side_without_calls_has_no_bars);
	tcase_add_test(tcase, view_compares_with_another_recording);
	tcase_add_test(tcase, names_of_processes_are_compared_too);
	tcase_add_test(tcase, unreadable_file_is_reported);
	tcase_add_test(tcase, rows_stay_valid_while_shown);
	tcase_add_test(tcase, rows_made_by_another_thread_stay_valid);
	suite_add_tcase(suite, tcase);
	return suite;
}
