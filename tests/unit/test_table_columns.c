#include "widgets/table.h"

#include "tests/unit/canvas_rows.h"
#include "tests/unit/runner.h"

#include <errno.h>
#include <string.h>

enum column { PID, USER, COMM, CALLS, COLUMN_COUNT };

static const struct table_column columns[COLUMN_COUNT] = {
	[PID] = { .id = PID, .name = "pid", .title = "PID", .min_cols = 4, .align = ALIGN_RIGHT },
	[USER] = { .id = USER,
		   .name = "user",
		   .title = "USER",
		   .min_cols = 5,
		   .optional = true,
		   .drop = 3 },
	[COMM] = { .id = COMM, .name = "comm", .title = "COMM", .min_cols = 5, .flex = 1 },
	[CALLS] = { .id = CALLS,
		    .name = "calls",
		    .title = "CALLS",
		    .min_cols = 5,
		    .align = ALIGN_RIGHT,
		    .drop = 1 },
};

static size_t row_count(void *data)
{
	(void)data;
	return 1;
}

static uint64_t row_id(void *data, size_t row)
{
	(void)data;
	return row + 1;
}

static void cell(void *data, size_t row, int column_id, struct table_cell *out)
{
	static const char *const texts[] = { "42", "root", "nginx-worker", "1000" };

	(void)data;
	(void)row;
	str_add(&out->text, texts[column_id]);
}

static const struct table_ops ops = { .row_count = row_count, .row_id = row_id, .cell = cell };

static struct table_column own[COLUMN_COUNT];
static struct table table;
static struct canvas canvas;

static void set_up(void)
{
	memcpy(own, columns, sizeof(own));
	canvas_init(&canvas, 2, 24, false);
	table_init(&table, &ops, NULL, own, COLUMN_COUNT);
}

static void tear_down(void)
{
	canvas_release(&canvas);
}

static void draw(void)
{
	table_draw(&table, &canvas, true);
}

static void parse(const char *text)
{
	struct err err;

	ck_assert_msg(!table_columns_parse(&table, text, &err), "%s: %s", text, err.text);
}

static void assert_text(const char *expected)
{
	struct str text = STR_INIT;

	table_columns_format(&table, &text);
	ck_assert_str_eq(text.data, expected);
	str_release(&text);
}

START_TEST(columns_are_parsed_and_formatted)
{
	static const struct {
		const char *text, *again, *rows;
	} cases[] = {
		{ "", "", " PID COMM          CALLS\n  42 nginx-worker   1000\n" },
		{ "pid -user comm calls", "",
		  " PID COMM          CALLS\n"
		  "  42 nginx-worker   1000\n" },
		{ "comm:7", "pid -user comm:7 calls",
		  " PID COMM    CALLS\n"
		  "  42 nginx-…  1000\n" },
		{ "calls pid", "calls pid -user comm",
		  "CALLS  PID COMM\n"
		  " 1000   42 nginx-worker\n" },
		{ "user", "pid user comm calls", NULL },
		{ "  comm\tuser -* ", "-pid comm -calls user",
		  "COMM               USER\n"
		  "nginx-worker       root\n" },
		{ "-calls pid:6", "-calls pid:6 -user comm",
		  "   PID COMM\n"
		  "    42 nginx-worker\n" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		parse(cases[i].text);
		assert_text(cases[i].again);
		draw();
		if (cases[i].rows)
			assert_rows(&canvas, cases[i].rows);
	}
	/* Formatted text is parsed to the same columns. */
	parse("calls:9 -pid user comm");
	for (int i = 0; i < 2; i++) {
		assert_text("calls:9 -pid user comm");
		parse("calls:9 -pid user comm");
	}
}
END_TEST

START_TEST(unknown_columns_are_refused)
{
	static const struct {
		const char *text, *said;
	} cases[] = {
		{ "pid foo", "unknown column foo; available: pid user comm calls" },
		{ "pid:0", "column width must be 1 to 500, as in comm:20" },
		{ "pid:", "column width must be 1 to 500, as in comm:20" },
		{ "pid:7x", "column width must be 1 to 500, as in comm:20" },
		{ "pid:99999999999999999999", "column width must be 1 to 500, as in comm:20" },
		{ "pid -pid", "column pid is listed twice" },
		{ "\x1b[2J", "unknown column \\33[2J; available: pid user comm calls" },
		{ "*", "unknown column *; available: pid user comm calls" },
		{ "-", "unknown column ; available: pid user comm calls" },
	};
	char longest[200];
	struct err err;

	parse("calls -pid");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ck_assert_int_eq(table_columns_parse(&table, cases[i].text, &err), -EINVAL);
		ck_assert_str_eq(err.text, cases[i].said);
		assert_text("calls -pid -user comm");
	}
	memset(longest, 'x', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	ck_assert_int_eq(table_columns_parse(&table, longest, &err), -EINVAL);
	assert_text("calls -pid -user comm");
}
END_TEST

START_TEST(columns_are_switched_moved_and_resized)
{
	table_column_switch(&table, USER, true);
	table_column_move(&table, USER, -1);
	assert_text("user pid comm calls");
	draw();
	assert_rows(&canvas, "USER   PID COMM    CALLS\nroot    42 nginx-…  1000\n");
	table_column_move(&table, USER, -1); /* already the first */
	table_column_move(&table, CALLS, 1);
	assert_text("user pid comm calls");
	/* The column moves past hidden columns and the next shown one. */
	table_column_switch(&table, PID, false);
	table_column_move(&table, COMM, -1);
	assert_text("comm user -pid calls");
	table_column_resize(&table, COMM, 3);
	table_column_resize(&table, CALLS, 100000);
	assert_text("comm:3 user -pid calls:500");
	table_column_resize(&table, COMM, 0);
	table_column_switch(&table, 99, true);
	table_column_move(&table, 99, 1);
	assert_text("comm user -pid calls:500");
	table_columns_reset(&table);
	assert_text("");
}
END_TEST

START_TEST(chosen_columns_stay_on_a_narrow_screen)
{
	struct canvas narrow;

	canvas_init(&narrow, 2, 16, false);
	table_column_switch(&table, USER, true);
	table_draw(&table, &narrow, true);
	assert_rows(&narrow, " PID USER  COMM\n  42 root  ngin…\n");
	canvas_release(&narrow);
}
END_TEST

/* A column that is hidden for lack of data returns with the next data. */
START_TEST(a_column_without_data_keeps_its_place)
{
	parse("comm calls pid");
	own[CALLS].hidden = true;
	draw();
	assert_rows(&canvas, "COMM                 PID\nnginx-worker          42\n");
	assert_text("comm calls pid -user");
	own[CALLS].hidden = false;
	draw();
	assert_rows(&canvas, "COMM          CALLS  PID\nnginx-worker   1000   42\n");
}
END_TEST

START_TEST(borders_of_the_header_are_dragged)
{
	struct table_hit hit;

	draw(); /* " PID COMM          CALLS" */
	hit = table_click(&table, 0, 4);
	ck_assert_int_eq(hit.border_of, PID);
	ck_assert_int_eq(hit.column_id, -1);
	ck_assert(table_drag(&table, 7));
	draw();
	assert_rows(&canvas, "    PID COMM       CALLS\n     42 nginx-wor…  1000\n");
	table_drag(&table, -5); /* at least 1 column wide */
	draw();
	assert_rows(&canvas, "… COMM             CALLS\n… nginx-worker      1000\n");
	/* A press in a row or a title starts no drag. */
	table_click(&table, 1, 1);
	ck_assert(!table_drag(&table, 9));
	table_click(&table, 0, 0);
	ck_assert(!table_drag(&table, 9));
	/* The last column has no border to drag. */
	ck_assert_int_eq(table_click(&table, 0, 23).border_of, -1);
	assert_text("pid:1 -user comm calls");
}
END_TEST

START_TEST(keys_step_through_columns_in_their_order)
{
	parse("calls pid comm");
	ck_assert_int_eq(table_column_step(&table, CALLS, 1), PID);
	ck_assert_int_eq(table_column_step(&table, CALLS, -1), COMM);
	ck_assert_int_eq(table_column_step(&table, COMM, 1), CALLS);
	ck_assert_int_eq(table_column_step(&table, USER, 1), CALLS); /* USER is not shown */
}
END_TEST

START_TEST(a_search_covers_shown_columns)
{
	draw();
	ck_assert(!table_search(&table, "root", 1, true));
	table_column_switch(&table, USER, true);
	ck_assert(table_search(&table, "root", 1, true));
}
END_TEST

Suite *suite_table_columns(void);

Suite *suite_table_columns(void)
{
	Suite *suite = suite_create("table_columns");
	TCase *tcase = tcase_create("table_columns");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, columns_are_parsed_and_formatted);
	tcase_add_test(tcase, unknown_columns_are_refused);
	tcase_add_test(tcase, columns_are_switched_moved_and_resized);
	tcase_add_test(tcase, chosen_columns_stay_on_a_narrow_screen);
	tcase_add_test(tcase, a_column_without_data_keeps_its_place);
	tcase_add_test(tcase, borders_of_the_header_are_dragged);
	tcase_add_test(tcase, keys_step_through_columns_in_their_order);
	tcase_add_test(tcase, a_search_covers_shown_columns);
	suite_add_tcase(suite, tcase);
	return suite;
}
