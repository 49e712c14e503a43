#include "widgets/canvas/canvas.h"

#include "tests/unit/canvas_rows.h"
#include "tests/unit/runner.h"
#include "widgets/canvas/ascii.h"
#include "widgets/canvas/theme.h"

#include <string.h>

static struct canvas canvas;

static void set_up(void)
{
	canvas_init(&canvas, 3, 10, false);
}

static void tear_down(void)
{
	canvas_release(&canvas);
}

START_TEST(text_is_clipped_at_every_side)
{
	ck_assert_int_eq(canvas_text(&canvas, 0, -2, ROLE_TEXT, "abcdef"), 6);
	ck_assert_int_eq(canvas_text(&canvas, 1, 8, ROLE_TEXT, "abcdef"), 6);
	ck_assert_int_eq(canvas_text(&canvas, -1, 0, ROLE_TEXT, "above"), 5);
	ck_assert_int_eq(canvas_text(&canvas, 3, 0, ROLE_TEXT, "below"), 5);
	ck_assert_int_eq(canvas_text(&canvas, 2, 50, ROLE_TEXT, "right"), 5);
	assert_rows(&canvas, "cdef\n        ab\n\n");
}
END_TEST

static const struct {
	const char *name, *text, *shown;
	int cols;
} texts[] = {
	{ "escape sequence", "a\033[2Jb", "a?[2Jb", 6 },
	{ "newline and tab", "a\n\tb", "a??b", 4 },
	{ "invalid UTF-8", "a\xff\xc3z", "a??z", 4 },
	{ "overlong slash", "\xc0\xaf", "??", 2 },
	{ "C1 control",
	  "a\xc2\x9b"
	  "b",
	  "a?b", 3 },
	{ "right-to-left override",
	  "a\xe2\x80\xae"
	  "b",
	  "a?b", 3 },
	{ "combining accent", "e\xcc\x81x", "e\xcc\x81x", 2 },
	{ "combining first", "\xcc\x81x", "x", 1 },
	{ "wide", "\xe6\x97\xa5x", "\xe6\x97\xa5x", 3 },
	{ "wide, half clipped", "12345678 \xe6\x97\xa5", "12345678", 11 },
};

START_TEST(raw_bytes_are_replaced)
{
	struct str shown = STR_INIT;
	int cols = canvas_text(&canvas, 0, 0, ROLE_TEXT, texts[_i].text);

	canvas_row_text(&canvas, 0, &shown);
	ck_assert_msg(!strcmp(shown.data, texts[_i].shown), "%s: shown \"%s\"", texts[_i].name,
		      shown.data);
	ck_assert_msg(cols == texts[_i].cols, "%s: %d columns", texts[_i].name, cols);
	str_release(&shown);
}
END_TEST

START_TEST(marks_pile_up_only_to_the_cell)
{
	char text[200];

	strcpy(text, _i ? "\xc3\xa9" : "e"); /* a mark has 2 bytes: with and without a byte left */
	for (int i = 0; i < 40; i++)
		strcat(text, "\xcc\x81");
	ck_assert_int_eq(canvas_text(&canvas, 0, 0, ROLE_TEXT, text), 1);
	ck_assert_uint_lt(strnlen(canvas_cell(&canvas, 0, 0)->text, CELL_TEXT_BYTES),
			  CELL_TEXT_BYTES);
	ck_assert_str_eq(canvas_cell(&canvas, 0, 1)->text, " ");
}
END_TEST

START_TEST(half_of_a_wide_character_never_stays)
{
	canvas_text(&canvas, 0, 0, ROLE_TEXT, "\xe6\x97\xa5\xe6\x9c\xac");
	canvas_text(&canvas, 0, 1, ROLE_TEXT, "x");
	canvas_text(&canvas, 1, 0, ROLE_TEXT, "\xe6\x97\xa5\xe6\x9c\xac");
	canvas_text(&canvas, 1, 2, ROLE_TEXT, "y");
	canvas_text(&canvas, 2, 0, ROLE_TEXT, "\xe6\x97\xa5\xe6\x9c\xac");
	canvas_text(&canvas, 2, 1, ROLE_TEXT, "\xe6\x97\xa5");
	assert_rows(&canvas, " x\xe6\x9c\xac\n\xe6\x97\xa5y\n \xe6\x97\xa5\n");
}
END_TEST

START_TEST(view_clips_and_moves)
{
	struct canvas view = canvas_sub(&canvas, (struct rect){ 1, 2, 1, 4 });
	struct canvas inner = canvas_sub(&view, (struct rect){ 0, -1, 1, 3 });

	canvas_text(&view, 0, 0, ROLE_TEXT, "abcdefgh");
	canvas_text(&view, 1, 0, ROLE_TEXT, "below");
	assert_rows(&canvas, "\n  abcd\n\n");
	canvas_text(&inner, 0, 0, ROLE_TEXT, "123456");
	assert_rows(&canvas, "\n  23cd\n\n");
	canvas_clear(&view);
	assert_rows(&canvas, "\n\n\n");
	ck_assert_ptr_null(canvas_cell(&view, 0, 4));
	ck_assert_ptr_null(canvas_cell(&inner, 0, 0));
}
END_TEST

START_TEST(view_outside_draws_nothing)
{
	struct canvas view = canvas_sub(&canvas, (struct rect){ 5, 5, 10, 10 });
	struct canvas negative = canvas_sub(&canvas, (struct rect){ 0, 0, -3, 4 });

	canvas_text(&view, 0, 0, ROLE_TEXT, "no");
	canvas_fill(&negative, (struct rect){ -5, -5, 20, 20 }, 'x', ROLE_TEXT);
	canvas_box(&view, (struct rect){ 0, 0, 3, 3 }, ROLE_TEXT);
	assert_rows(&canvas, "\n\n\n");
}
END_TEST

static const struct {
	int cols;
	enum align align;
	const char *text, *shown;
} fields[] = {
	{ 6, ALIGN_LEFT, "abc", "abc" },         { 6, ALIGN_RIGHT, "abc", "   abc" },
	{ 7, ALIGN_CENTER, "abc", "  abc" },     { 6, ALIGN_LEFT, "abcdef", "abcdef" },
	{ 6, ALIGN_RIGHT, "abcdefg", "abcde…" }, { 6, ALIGN_LEFT, "日本語日本", "日本…" },
	{ 1, ALIGN_LEFT, "abc", "…" },           { 0, ALIGN_LEFT, "abc", "" },
	{ -4, ALIGN_LEFT, "abc", "" },
};

START_TEST(field_cuts_and_aligns)
{
	struct str shown = STR_INIT;

	canvas_field(&canvas, 0, 0, fields[_i].cols, fields[_i].align, ROLE_TEXT, fields[_i].text,
		     strlen(fields[_i].text));
	canvas_row_text(&canvas, 0, &shown);
	ck_assert_str_eq(shown.data, fields[_i].shown);
	str_release(&shown);
}
END_TEST

START_TEST(ascii_canvas_has_only_ascii)
{
	canvas.ascii = true;
	canvas_box(&canvas, (struct rect){ 0, 0, 3, 4 }, ROLE_TEXT);
	canvas_text(&canvas, 0, 5, ROLE_TEXT, "▁▄█▼…");
	canvas_text(&canvas, 1, 5, ROLE_TEXT, "日é");
	canvas_text(&canvas, 2, 5, ROLE_TEXT, "e\xcc\x81→µ");
	assert_rows(&canvas, "+--+ .=@v~\n|  | ???\n+--+ e>u\n");
}
END_TEST

START_TEST(ascii_has_every_widget_character)
{
	for (uint32_t code = 0x2500; code <= 0x259f; code++)
		ck_assert_msg(ascii_from(code) != '?', "U+%04X has no stand-in", code);
	for (uint32_t code = 0x80; code < 0x30000; code++)
		ck_assert(ascii_from(code) >= ' ' && ascii_from(code) < 0x7f);
}
END_TEST

START_TEST(paint_keeps_text)
{
	canvas_text(&canvas, 0, 0, ROLE_TEXT, "abc");
	canvas_paint(&canvas, (struct rect){ 0, 1, 1, 2 }, ROLE_SELECTED);
	assert_rows(&canvas, "abc\n\n\n");
	assert_roles(&canvas, 0, "tssttttttt");
}
END_TEST

START_TEST(resize_gives_a_blank_grid)
{
	canvas_text(&canvas, 0, 0, ROLE_TEXT, "abc");
	canvas_resize(&canvas, 0, -7);
	ck_assert_int_eq(canvas.rows, 1);
	ck_assert_int_eq(canvas.cols, 1);
	assert_rows(&canvas, "\n");
	canvas_resize(&canvas, 120, 400);
	canvas_text(&canvas, 119, 397, ROLE_TEXT, "end");
	ck_assert_str_eq(canvas_cell(&canvas, 119, 399)->text, "d");
}
END_TEST

START_TEST(roles_have_names_of_their_own)
{
	for (int i = 0; i < ROLE_COUNT; i++) {
		ck_assert_int_eq(role_find(role_name(i)), i);
		ck_assert_str_ne(role_help(i), "");
	}
	ck_assert_int_eq(role_find("nosuch"), -1);
}
END_TEST

Suite *suite_canvas(void);

Suite *suite_canvas(void)
{
	Suite *suite = suite_create("canvas");
	TCase *tcase = tcase_create("canvas");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, text_is_clipped_at_every_side);
	tcase_add_loop_test(tcase, raw_bytes_are_replaced, 0, sizeof(texts) / sizeof(texts[0]));
	tcase_add_loop_test(tcase, marks_pile_up_only_to_the_cell, 0, 2);
	tcase_add_test(tcase, half_of_a_wide_character_never_stays);
	tcase_add_test(tcase, view_clips_and_moves);
	tcase_add_test(tcase, view_outside_draws_nothing);
	tcase_add_loop_test(tcase, field_cuts_and_aligns, 0, sizeof(fields) / sizeof(fields[0]));
	tcase_add_test(tcase, ascii_canvas_has_only_ascii);
	tcase_add_test(tcase, ascii_has_every_widget_character);
	tcase_add_test(tcase, paint_keeps_text);
	tcase_add_test(tcase, resize_gives_a_blank_grid);
	tcase_add_test(tcase, roles_have_names_of_their_own);
	suite_add_tcase(suite, tcase);
	return suite;
}
