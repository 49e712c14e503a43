#include "widgets/table.h"

#include "tests/unit/canvas_rows.h"
#include "tests/unit/runner.h"

#include <string.h>

#define MAX_ROWS 1000

/* The ids in the order of the rows; a row's text comes from its id. */
static struct {
	uint64_t ids[MAX_ROWS];
	size_t count;
	size_t span_from, span_to; /* span within the names; both 0: none */
	size_t prepared_from, prepared_to;
	bool must_prepare;
} model;

static size_t count_rows(void *data)
{
	(void)data;
	return model.count;
}

static uint64_t id_at(void *data, size_t row)
{
	(void)data;
	ck_assert_uint_lt(row, model.count);
	return model.ids[row];
}

static void cell(void *data, size_t row, int column_id, struct table_cell *cell)
{
	(void)data;
	ck_assert_uint_lt(row, model.count);
	if (column_id == 0) {
		str_addu(&cell->text, model.ids[row]);
		cell->role = ROLE_NUMBER;
	} else {
		str_addf(&cell->text, "name-%lu", (unsigned long)model.ids[row]);
		if (model.span_to)
			cell->spans[cell->span_count++] =
				(struct table_span){ model.span_from, model.span_to, ROLE_LATE };
	}
	if (model.must_prepare)
		ck_assert(row >= model.prepared_from && row < model.prepared_to);
}

static void prepare(void *data, size_t first, size_t count)
{
	(void)data;
	ck_assert_uint_gt(count, 0);
	ck_assert_uint_le(first + count, model.count);
	model.prepared_from = first;
	model.prepared_to = first + count;
}

static const struct table_ops ops = { .row_count = count_rows, .row_id = id_at, .cell = cell };

static const struct table_column columns[] = {
	{ .id = 0, .title = "PID", .min_cols = 5, .align = ALIGN_RIGHT },
	{ .id = 1, .title = "NAME", .min_cols = 4, .flex = 1 },
};

static struct canvas canvas;
static struct table table;

static void fill(size_t count)
{
	model.count = count;
	for (size_t i = 0; i < count; i++)
		model.ids[i] = 100 + i;
}

static void set_up(void)
{
	memset(&model, 0, sizeof(model));
	fill(20);
	canvas_init(&canvas, 5, 16, false);
	table_init(&table, &ops, NULL, columns, 2);
	table_draw(&table, &canvas, true);
}

static void tear_down(void)
{
	canvas_release(&canvas);
}

static void draw(void)
{
	table_draw(&table, &canvas, true);
}

START_TEST(rows_are_drawn)
{
	table.sort_column = 0;
	table.sort_descending = true;
	draw();
	assert_rows(&canvas, " PID▼ NAME\n  100 name-100\n  101 name-101\n  102 name-102\n"
			     "  103 name-103\n");
	assert_roles(&canvas, 0, "hhhhhhhhhhhhhhhh");
	assert_roles(&canvas, 1, "ssssssssssssssss");
	assert_roles(&canvas, 2, "ttnnnttttttttttt");
	ck_assert_int_eq(canvas_cell(&canvas, 0, 2)->role, ROLE_HEADER_SORT);
	ck_assert_int_eq(canvas_cell(&canvas, 0, 8)->role, ROLE_HEADER);
	table_draw(&table, &canvas, false);
	ck_assert_int_eq(canvas_cell(&canvas, 1, 0)->role, ROLE_SELECTED_UNFOCUSED);
}
END_TEST

START_TEST(an_empty_table_shows_its_text)
{
	fill(0);
	table.empty_text = "no calls yet";
	draw();
	assert_rows(&canvas, "  PID NAME\n\n no calls yet\n\n\n");
	ck_assert(!table.has_selection);
	for (enum move move = MOVE_UP; move <= MOVE_RIGHT; move++)
		table_move(&table, move);
	ck_assert(!table_search(&table, "x", 1, true));
}
END_TEST

START_TEST(untouched_cursor_stays_on_top)
{
	uint64_t first = model.ids[0];

	model.ids[0] = model.ids[5];
	model.ids[5] = first;
	draw();
	ck_assert_uint_eq(table.selected_row, 0);
	ck_assert_uint_eq(table.selected_id, 105);
}
END_TEST

static size_t third_row(void *data)
{
	(void)data;
	return model.count > 2 ? 2 : 0;
}

START_TEST(untouched_cursor_stays_on_the_start_row)
{
	struct table_ops with_start = ops;

	with_start.start_row = third_row;
	table.ops = &with_start;
	draw();
	ck_assert_uint_eq(table.selected_row, 2);
	ck_assert_uint_eq(table.top_row, 0);
	/* The user can select the first row, which then stays selected. */
	table_move(&table, MOVE_HOME);
	draw();
	ck_assert_uint_eq(table.selected_row, 0);
	table_deselect(&table);
	draw();
	ck_assert_uint_eq(table.selected_row, 2);
	table.ops = &ops;
}
END_TEST

START_TEST(selection_follows_its_row)
{
	table_move(&table, MOVE_DOWN);
	ck_assert_uint_eq(table.selected_id, 101);
	memmove(model.ids + 1, model.ids, 19 * sizeof(model.ids[0]));
	model.ids[0] = 999; /* a row above: the other rows move down by one */
	draw();
	ck_assert_uint_eq(table.selected_id, 101);
	ck_assert_uint_eq(table.selected_row, 2);
	ck_assert_uint_eq(table.top_row, 1); /* the selected row stays at its place on the screen */
	for (size_t i = 0; i < model.count / 2; i++) {
		uint64_t id = model.ids[i];

		model.ids[i] = model.ids[model.count - 1 - i];
		model.ids[model.count - 1 - i] = id;
	}
	draw();
	ck_assert_uint_eq(table.selected_id, 101);
	ck_assert_uint_eq(model.ids[table.selected_row], 101);
	ck_assert_uint_ge(table.selected_row, table.top_row);
	ck_assert_uint_lt(table.selected_row, table.top_row + 4);
}
END_TEST

START_TEST(the_next_row_replaces_a_vanished_one)
{
	table_select(&table, 105);
	memmove(model.ids + 5, model.ids + 6, 14 * sizeof(model.ids[0]));
	model.count = 19;
	draw();
	ck_assert_uint_eq(table.selected_row, 5);
	ck_assert_uint_eq(table.selected_id, 106);
	model.count = 3;
	draw();
	ck_assert_uint_eq(table.selected_row, 2);
	ck_assert_uint_eq(table.top_row, 0);
}
END_TEST

static const struct {
	enum move move;
	size_t selected, top;
} moves[] = {
	/* in sequence; 4 of 20 rows are visible */
	{ MOVE_UP, 0, 0 },          { MOVE_DOWN, 1, 0 },  { MOVE_PAGE_DOWN, 4, 1 },
	{ MOVE_HALF_DOWN, 6, 3 },   { MOVE_UP, 5, 3 },    { MOVE_PAGE_UP, 2, 2 },
	{ MOVE_HALF_UP, 0, 0 },     { MOVE_END, 19, 16 }, { MOVE_DOWN, 19, 16 },
	{ MOVE_PAGE_DOWN, 19, 16 }, { MOVE_HOME, 0, 0 },
};

START_TEST(each_move_selects_its_row)
{
	for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++) {
		table_move(&table, moves[i].move);
		draw();
		ck_assert_msg(
			table.selected_row == moves[i].selected && table.top_row == moves[i].top,
			"step %zu: selected %zu, top %zu", i, table.selected_row, table.top_row);
	}
	ck_assert(!table.pinned);
}
END_TEST

START_TEST(follow_keeps_the_end_visible)
{
	table.follow = true;
	draw();
	ck_assert_uint_eq(table.selected_row, 19);
	ck_assert_uint_eq(table.top_row, 16);
	model.ids[model.count++] = 500;
	draw();
	ck_assert_uint_eq(table.selected_id, 500);
	table_move(&table, MOVE_DOWN);
	ck_assert(table.follow);
	table_move(&table, MOVE_UP);
	ck_assert(!table.follow);
	model.ids[model.count++] = 501;
	draw();
	ck_assert_uint_eq(table.selected_row, 19);
}
END_TEST

START_TEST(without_follow_the_position_stays)
{
	table.follow = true;
	draw();
	table.follow = false; /* as the key does */
	draw();
	ck_assert_uint_eq(table.selected_row, 19);
	ck_assert_uint_eq(table.top_row, 16);
}
END_TEST

START_TEST(wheel_scrolls_and_takes_the_selection_along)
{
	table_scroll(&table, 3);
	draw();
	ck_assert_uint_eq(table.top_row, 3);
	ck_assert_uint_eq(table.selected_row, 3);
	table_scroll(&table, -2);
	draw();
	ck_assert_uint_eq(table.top_row, 1);
	ck_assert_uint_eq(table.selected_row, 3);
	table_scroll(&table, 1000);
	draw();
	ck_assert_uint_eq(table.top_row, 16);
	fill(2);
	table_deselect(&table);
	draw();
	table_scroll(&table, 3);
	ck_assert_uint_eq(table.top_row, 0);
	ck_assert(!table.pinned);
}
END_TEST

START_TEST(clicks_hit_rows_and_headers)
{
	struct table_hit hit = table_click(&table, 2, 7);

	ck_assert_int_eq(hit.kind, TABLE_HIT_ROW);
	ck_assert_uint_eq(hit.row_id, 101);
	ck_assert_int_eq(hit.column_id, 1);
	ck_assert_int_eq(hit.cell_col, 1);
	ck_assert_uint_eq(table.selected_id, 101);
	hit = table_click(&table, 0, 4);
	ck_assert_int_eq(hit.kind, TABLE_HIT_HEADER);
	ck_assert_int_eq(hit.column_id, 0);
	hit = table_click(&table, 0, 5);
	ck_assert_int_eq(hit.column_id, -1);
	ck_assert_int_eq(table_click(&table, 5, 0).kind, TABLE_HIT_NONE);
	ck_assert_int_eq(table_click(&table, -1, 0).kind, TABLE_HIT_NONE);
	ck_assert_int_eq(table_click(&table, 1, 16).kind, TABLE_HIT_NONE);
	fill(1);
	draw();
	ck_assert_int_eq(table_click(&table, 2, 0).kind, TABLE_HIT_NONE);
}
END_TEST

START_TEST(search_wraps_around_both_ways)
{
	ck_assert(table_search(&table, "NAME-10", 1, false));
	ck_assert_uint_eq(table.selected_id, 101);
	ck_assert(table_search(&table, "115", 1, false));
	ck_assert_uint_eq(table.selected_id, 115);
	ck_assert(table_search(&table, "name-10", 1, false));
	ck_assert_uint_eq(table.selected_id, 100);
	ck_assert(table_search(&table, "name-10", -1, false));
	ck_assert_uint_eq(table.selected_id, 109);
	ck_assert(table_search(&table, "109", 1, true));
	ck_assert_uint_eq(table.selected_id, 109);
	ck_assert(table_search(&table, "109", 1, false)); /* the same row, after wrapping around */
	ck_assert_uint_eq(table.selected_id, 109);
	ck_assert(!table_search(&table, "nosuch", 1, false));
	ck_assert(!table_search(&table, "", 1, false));
	ck_assert_uint_eq(table.selected_id, 109);
}
END_TEST

START_TEST(matches_are_marked_even_when_selected)
{
	table.match = "me-1";
	draw();
	ck_assert_int_eq(canvas_cell(&canvas, 1, 8)->role, ROLE_MATCH);
	ck_assert_int_eq(canvas_cell(&canvas, 2, 8)->role, ROLE_MATCH);
	ck_assert_int_eq(canvas_cell(&canvas, 2, 11)->role, ROLE_MATCH);
	ck_assert_int_eq(canvas_cell(&canvas, 2, 12)->role, ROLE_TEXT);
}
END_TEST

START_TEST(parts_of_a_cell_have_their_role)
{
	table_move(&table, MOVE_DOWN); /* so that the checked row is not selected */
	model.span_from = 2;
	model.span_to = 6;
	draw();
	ck_assert_int_eq(canvas_cell(&canvas, 1, 7)->role, ROLE_TEXT);
	ck_assert_int_eq(canvas_cell(&canvas, 1, 8)->role, ROLE_LATE);
	ck_assert_int_eq(canvas_cell(&canvas, 1, 11)->role, ROLE_LATE);
	ck_assert_int_eq(canvas_cell(&canvas, 1, 12)->role, ROLE_TEXT);
	ck_assert_int_eq(canvas_cell(&canvas, 2, 8)->role, ROLE_SELECTED);
	/* A search match takes precedence; a span beyond the text is harmless. */
	table.match = "e-1";
	model.span_to = 100;
	draw();
	ck_assert_int_eq(canvas_cell(&canvas, 1, 8)->role, ROLE_LATE);
	ck_assert_int_eq(canvas_cell(&canvas, 1, 9)->role, ROLE_MATCH);
}
END_TEST

START_TEST(rows_are_prepared_before_they_are_read)
{
	static const struct table_ops preparing = {
		.row_count = count_rows, .row_id = id_at, .cell = cell, .prepare = prepare
	};

	fill(200);
	table_init(&table, &preparing, NULL, columns, 2);
	model.must_prepare = true;
	draw();
	ck_assert_uint_eq(model.prepared_from, 0);
	ck_assert_uint_eq(model.prepared_to, 4);
	table_move(&table, MOVE_END);
	draw();
	ck_assert_uint_eq(model.prepared_to, 200);
	ck_assert(table_search(&table, "name-150", 1, false));
	ck_assert(table_search(&table, "name-149", -1, false));
	ck_assert(table_search(&table, "name-151", -1, false));
	ck_assert(!table_search(&table, "nowhere", 1, true));
	ck_assert(!table_search(&table, "nowhere", -1, true));
	fill(0);
	draw();
}
END_TEST

START_TEST(moving_sideways_shows_the_rest_of_long_texts)
{
	fill(0);
	for (size_t i = 0; i < 3; i++)
		model.ids[model.count++] = 1234567890123456 + i;
	draw();
	assert_rows(&canvas, "  PID NAME\n1234… name-1234…\n1234… name-1234…\n"
			     "1234… name-1234…\n\n");
	table_move(&table, MOVE_RIGHT);
	draw();
	ck_assert_int_eq(table.left_cols, 8 < 27 - 16 ? 8 : 27 - 16);
	assert_rows(&canvas, "ME\nme-123456789012…\nme-123456789012…\nme-123456789012…\n\n");
	for (int i = 0; i < 10; i++) {
		table_move(&table, MOVE_RIGHT);
		draw();
	}
	ck_assert_int_eq(table.left_cols, 27 - 16);
	assert_rows(&canvas, "\n1234567890123456\n1234567890123457\n1234567890123458\n\n");
	for (int i = 0; i < 10; i++)
		table_move(&table, MOVE_LEFT);
	ck_assert_int_eq(table.left_cols, 0);
}
END_TEST

START_TEST(columns_drop_flex_and_hide)
{
	static const struct table_column many[] = {
		{ .id = 7, .title = "A", .min_cols = 4 },
		{ .id = 8, .title = "B", .min_cols = 4, .drop = 2, .flex = 1 },
		{ .id = 9, .title = "C", .min_cols = 4, .drop = 1, .flex = 3 },
		{ .id = 6, .title = "D", .min_cols = 4, .hidden = true },
	};

	table_init(&table, &ops, NULL, many, 4);
	fill(0);
	draw();
	assert_rows(&canvas, "A    B    C\n\n\n\n\n");
	canvas_resize(&canvas, 1, 26);
	draw();
	assert_rows(&canvas, "A    B       C\n");
	canvas_resize(&canvas, 1, 10);
	draw();
	assert_rows(&canvas, "A    C\n");
	canvas_resize(&canvas, 1, 3);
	draw();
	assert_rows(&canvas, "A\n");
	ck_assert_int_eq(table_column_step(&table, 9, 1), 7);
	ck_assert_int_eq(table_column_step(&table, 7, -1), 9);
}
END_TEST

START_TEST(names_stay_near_their_figures)
{
	static const struct table_column some[] = {
		{ .id = 1, .title = "NAME", .min_cols = 5, .flex = 1, .flex_cols = 8 },
		{ .id = 2, .title = "N", .min_cols = 2 },
		{ .id = 3, .title = "TEXT", .min_cols = 5, .flex = 1 },
		{ .id = 4, .title = "END", .min_cols = 3 },
	};

	table_init(&table, &ops, NULL, some, 4);
	fill(0);
	canvas_resize(&canvas, 1, 40);
	draw();
	assert_rows(&canvas, "NAME     N  TEXT                     END\n");
	table_init(&table, &ops, NULL, some, 2);
	draw();
	assert_rows(&canvas, "NAME     N\n");
}
END_TEST

START_TEST(one_column_is_filled_first)
{
	static const struct table_column some[] = {
		{ .id = 1, .title = "WHO", .min_cols = 4, .flex = 1, .flex_cols = 8 },
		{ .id = 2, .title = "CALL", .min_cols = 4, .flex = 1, .first_cols = 10 },
		{ .id = 3, .title = "RESULT", .min_cols = 6, .flex = 1, .flex_cols = 7 },
		{ .id = 4, .title = "END", .min_cols = 3 },
	};

	table_init(&table, &ops, NULL, some, 4);
	fill(0);
	canvas_resize(&canvas, 1, 26);
	draw();
	assert_rows(&canvas, "WHO  CALL       RESULT END\n");
	/* Columns without a limit get the remaining space. */
	canvas_resize(&canvas, 1, 40);
	draw();
	assert_rows(&canvas, "WHO      CALL                RESULT  END\n");
}
END_TEST

/* A cell borrows the space that it lacks from the previous cell of its row, which keeps some. */
START_TEST(a_row_lends_room_to_its_next_cell)
{
	static const struct table_column some[] = {
		{ .id = 1, .title = "CALL", .min_cols = 4, .flex = 1, .lend_cols = 5 },
		{ .id = 2, .title = "RESULT", .min_cols = 8 },
	};

	table_init(&table, &ops, NULL, some, 2);
	model.count = 2;
	model.ids[0] = 1;
	model.ids[1] = 123456;
	canvas_resize(&canvas, 3, 20);
	draw();
	assert_rows(&canvas, "CALL        RESULT\nname-1      name-1\nname-12… name-123456\n");
	model.ids[1] = 1234567890123;
	draw();
	assert_rows(&canvas, "CALL        RESULT\nname-1      name-1\nname… name-12345678…\n");
	/* Scrolling shows the end of RESULT even in the row that leaves it the least room. */
	for (int i = 0; i < 10; i++) {
		table_move(&table, MOVE_RIGHT);
		draw();
	}
	assert_rows(&canvas, "            RESULT\n            name-1\n3 name-1234567890123\n");
}
END_TEST

START_TEST(very_narrow_tables_keep_the_name_and_the_sorted_column)
{
	static const struct table_column many[] = {
		{ .id = 1, .title = "PID", .min_cols = 7 },
		{ .id = 2, .title = "COMM", .min_cols = 16, .flex = 1 },
		{ .id = 3, .title = "CALLS", .min_cols = 8 },
		{ .id = 4, .title = "BLOCKED", .min_cols = 8 },
		{ .id = 5, .title = "MAX", .min_cols = 8 },
	};

	table_init(&table, &ops, NULL, many, 5);
	table.sort_column = 4;
	fill(0);
	canvas_resize(&canvas, 1, 20);
	draw();
	assert_rows(&canvas, "COMM        BLOCKED▲\n");
	canvas_resize(&canvas, 1, 27);
	draw();
	assert_rows(&canvas, "PID     COMM       BLOCKED▲\n");
	/* Wider tables are scrolled sideways. */
	canvas_resize(&canvas, 1, 32);
	draw();
	assert_rows(&canvas, "PID     COMM             CALLS\n");
}
END_TEST

START_TEST(tiny_canvases_are_drawn_safely)
{
	for (int rows = 1; rows < 4; rows++) {
		for (int cols = 1; cols < 8; cols++) {
			canvas_resize(&canvas, rows, cols);
			draw();
			table_move(&table, MOVE_END);
			table_move(&table, MOVE_RIGHT);
			draw();
			table_move(&table, MOVE_HOME);
		}
	}
}
END_TEST

Suite *suite_table(void);

Suite *suite_table(void)
{
	Suite *suite = suite_create("table");
	TCase *tcase = tcase_create("table");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, rows_are_drawn);
	tcase_add_test(tcase, an_empty_table_shows_its_text);
	tcase_add_test(tcase, untouched_cursor_stays_on_top);
	tcase_add_test(tcase, untouched_cursor_stays_on_the_start_row);
	tcase_add_test(tcase, selection_follows_its_row);
	tcase_add_test(tcase, the_next_row_replaces_a_vanished_one);
	tcase_add_test(tcase, each_move_selects_its_row);
	tcase_add_test(tcase, follow_keeps_the_end_visible);
	tcase_add_test(tcase, without_follow_the_position_stays);
	tcase_add_test(tcase, wheel_scrolls_and_takes_the_selection_along);
	tcase_add_test(tcase, clicks_hit_rows_and_headers);
	tcase_add_test(tcase, search_wraps_around_both_ways);
	tcase_add_test(tcase, matches_are_marked_even_when_selected);
	tcase_add_test(tcase, parts_of_a_cell_have_their_role);
	tcase_add_test(tcase, rows_are_prepared_before_they_are_read);
	tcase_add_test(tcase, moving_sideways_shows_the_rest_of_long_texts);
	tcase_add_test(tcase, columns_drop_flex_and_hide);
	tcase_add_test(tcase, names_stay_near_their_figures);
	tcase_add_test(tcase, one_column_is_filled_first);
	tcase_add_test(tcase, a_row_lends_room_to_its_next_cell);
	tcase_add_test(tcase, very_narrow_tables_keep_the_name_and_the_sorted_column);
	tcase_add_test(tcase, tiny_canvases_are_drawn_safely);
	suite_add_tcase(suite, tcase);
	return suite;
}
