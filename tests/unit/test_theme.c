#include "widgets/canvas/theme.h"

#include "tests/unit/runner.h"
#include "widgets/canvas/theme_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const int depths[] = { 0, 8, 16, 256 };

/* The first sixteen colours on the Linux console (VGA). */
static const struct color_rgb console[] = {
	{ 0, 0, 0 },     { 170, 0, 0 },    { 0, 170, 0 },    { 170, 85, 0 },
	{ 0, 0, 170 },   { 170, 0, 170 },  { 0, 170, 170 },  { 170, 170, 170 },
	{ 85, 85, 85 },  { 255, 85, 85 },  { 85, 255, 85 },  { 255, 255, 85 },
	{ 85, 85, 255 }, { 255, 85, 255 }, { 85, 255, 255 }, { 255, 255, 255 },
};

/* True for lines and pictures, which do not need the contrast of text. */
static bool is_picture(enum role role)
{
	return role == ROLE_BORDER || (role >= ROLE_BAR && role <= ROLE_HEAT_6);
}

static bool same(struct style a, struct style b)
{
	return a.fg == b.fg && a.bg == b.bg && a.attrs == b.attrs;
}

/* ---- every theme, every role ---- */

START_TEST(colours_exist_on_the_terminal)
{
	const struct theme *theme;

	for (size_t i = 0; (theme = theme_at(i)); i++) {
		ck_assert_ptr_eq(theme_find(theme_name(theme)), theme);
		ck_assert_str_ne(theme_help(theme), "");
		for (size_t d = 0; d < COUNT(depths); d++)
			for (int r = 0; r < ROLE_COUNT; r++) {
				struct style style = theme_style(theme, r, depths[d]);
				int most = depths[d] ? depths[d] : COLOR_DEFAULT + 1;

				ck_assert_int_ge(style.fg, COLOR_DEFAULT);
				ck_assert_int_ge(style.bg, COLOR_DEFAULT);
				ck_assert_int_lt(style.fg, most);
				ck_assert_int_lt(style.bg, most);
			}
	}
	ck_assert_ptr_null(theme_find("nosuch"));
	ck_assert_ptr_null(theme_find(""));
}
END_TEST

/* Roles that appear in the same place, so that only their style distinguishes them. */
static const enum role groups[][12] = {
	{ ROLE_TEXT, ROLE_ERROR, ROLE_SLOW, ROLE_IN_FLIGHT, ROLE_LATE, ROLE_EVENT, ROLE_GAP,
	  ROLE_MATCH, ROLE_COUNT },
	{ ROLE_KERNEL, ROLE_USER, ROLE_INLINED, ROLE_MATCH, ROLE_COUNT },
	{ ROLE_TOP, ROLE_TOP_VALUE, ROLE_GOOD, ROLE_WARN, ROLE_GAP, ROLE_COUNT },
	{ ROLE_HEADER, ROLE_HEADER_SORT, ROLE_TEXT, ROLE_COUNT },
	{ ROLE_TITLE, ROLE_FOCUS, ROLE_COUNT },
	{ ROLE_SELECTED, ROLE_SELECTED_UNFOCUSED, ROLE_TEXT, ROLE_COUNT },
	{ ROLE_SELECTED, ROLE_POPUP, ROLE_COUNT },
	{ ROLE_KEY, ROLE_KEY_LABEL, ROLE_COUNT },
	{ ROLE_BAR, ROLE_BAR_OTHER, ROLE_BAR_THIRD, ROLE_COUNT },
	/* Characters distinguish 2 from 3 and 4 from 5; see spectrogram.c. */
	{ ROLE_HEAT_1, ROLE_HEAT_2, ROLE_COUNT },
	{ ROLE_HEAT_3, ROLE_HEAT_4, ROLE_COUNT },
};

static void check_group(const struct theme *theme, const enum role *group, int depth)
{
	for (int i = 0; group[i] != ROLE_COUNT; i++)
		for (int j = 0; j < i; j++)
			ck_assert_msg(!same(theme_style(theme, group[i], depth),
					    theme_style(theme, group[j], depth)),
				      "%s: %s looks like %s with %d colours", theme_name(theme),
				      role_name(group[i]), role_name(group[j]), depth);
}

START_TEST(roles_in_one_place_look_different)
{
	const struct theme *theme;

	for (size_t i = 0; (theme = theme_at(i)); i++)
		for (size_t d = 0; d < COUNT(depths); d++)
			check_group(theme, groups[_i], depths[d]);
}
END_TEST

START_TEST(heat_levels_rise_in_contrast)
{
	static const struct {
		const char *theme;
		int bg;
	} cases[] = {
		{ "dark", 16 },
		{ "light", 231 },
		{ "high-contrast", 16 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		double before = 1;

		for (int role = ROLE_HEAT_1; role <= ROLE_HEAT_6; role++) {
			struct style style = theme_style(theme_find(cases[i].theme), role, 256);
			double now = color_contrast(color_rgb(style.fg), color_rgb(cases[i].bg));

			ck_assert_msg(now > before,
				      "%s: %s has no more contrast than the level below",
				      cases[i].theme, role_name(role));
			before = now;
		}
	}
}
END_TEST

/* ---- contrast ---- */

struct ground {
	const char *theme;
	int depth;
	bool is_console; /* palette of VGA, otherwise of xterm */
	struct color_rgb fg, bg; /* colours of "default" */
	double least;
};

#define BLACK \
	{ \
		0, 0, 0 \
	}
#define WHITE \
	{ \
		255, 255, 255 \
	}
#define GREY \
	{ \
		229, 229, 229 \
	}

/* The extremes of common dark and light backgrounds. */
static const struct ground grounds[] = {
	{ "dark", 256, false, GREY, BLACK, 4.5 },
	{ "dark", 256, false, GREY, { 30, 30, 30 }, 4.5 },
	{ "dark", 16, false, GREY, BLACK, 4.5 },
	{ "dark", 16, true, { 170, 170, 170 }, BLACK, 4.5 },
	{ "dark", 8, false, GREY, BLACK, 4.5 },
	{ "dark", 8, true, { 170, 170, 170 }, BLACK, 4.5 },
	{ "16", 256, false, GREY, BLACK, 4.5 },
	{ "16", 256, true, { 170, 170, 170 }, BLACK, 4.5 },
	{ "light", 256, false, BLACK, WHITE, 4.5 },
	{ "light", 256, false, BLACK, { 238, 238, 238 }, 4.5 },
	{ "light", 16, false, BLACK, WHITE, 4.5 },
	{ "light", 16, true, BLACK, WHITE, 4.5 },
	{ "light", 8, false, BLACK, WHITE, 4.5 },
	{ "high-contrast", 256, false, BLACK, BLACK, 7 },
	{ "high-contrast", 256, false, WHITE, WHITE, 7 },
	{ "high-contrast", 16, false, BLACK, BLACK, 7 },
	{ "high-contrast", 16, true, WHITE, WHITE, 7 },
	{ "high-contrast", 8, false, BLACK, BLACK, 7 },
	{ "high-contrast", 8, true, WHITE, WHITE, 7 },
};

static struct color_rgb seen(const struct ground *ground, int color)
{
	return ground->is_console && color < 16 ? console[color] : color_rgb(color);
}

static void check_contrast(const struct ground *ground, enum role role)
{
	struct style style = theme_style(theme_find(ground->theme), role, ground->depth);
	struct color_rgb fg, bg;
	double contrast;

	/* With 8 colours, bold selects the bright ones. */
	if (ground->depth == 8 && style.fg > 0 && style.attrs & STYLE_BOLD)
		style.fg += 8;
	fg = style.fg == COLOR_DEFAULT ? ground->fg : seen(ground, style.fg);
	bg = style.bg == COLOR_DEFAULT ? ground->bg : seen(ground, style.bg);
	contrast = color_contrast(fg, bg);
	ck_assert_msg(contrast >= ground->least, "%s with %d colours%s: %s has a contrast of %.2f",
		      ground->theme, ground->depth, ground->is_console ? " of the console" : "",
		      role_name(role), contrast);
}

START_TEST(text_is_readable)
{
	for (int role = 0; role < ROLE_COUNT; role++)
		if (!is_picture((enum role)role))
			check_contrast(&grounds[_i], (enum role)role);
}
END_TEST

START_TEST(contrast_is_that_of_wcag)
{
	struct color_rgb black = BLACK, white = WHITE, grey = { 118, 118, 118 };

	ck_assert_double_eq_tol(color_contrast(black, white), 21, 0.001);
	ck_assert_double_eq_tol(color_contrast(white, white), 1, 0.001);
	/* #767676 is the lightest grey that reaches 4.5 on white. */
	ck_assert_double_eq_tol(color_contrast(white, grey), 4.54, 0.01);
}
END_TEST

/* ---- detection ---- */

static const struct {
	const char *value, *theme;
} guesses[] = {
	{ NULL, "dark" },
	{ "", "dark" },
	{ "15;0", "dark" },
	{ "0;15", "light" },
	{ "0;default;15", "light" },
	{ "0;7", "light" },
	{ "15;default;0", "dark" },
	{ "12;8", "dark" },
	{ "0;default", "dark" },
	{ "7", "dark" },
	{ ";", "dark" },
	{ "0;255", "dark" },
	{ "0;99999999999", "dark" },
	{ "0;11", "light" },
};

START_TEST(backgrounds_are_guessed)
{
	ck_assert_str_eq(theme_name(theme_guess(guesses[_i].value)), guesses[_i].theme);
}
END_TEST

/* ---- as text ---- */

static struct theme *parse(const char *text, size_t *wrong, struct err *err)
{
	struct theme *theme;

	err->text[0] = '\0';
	*wrong = theme_parse(&theme, "mine", "file", text, strlen(text), err);
	return theme;
}

START_TEST(formatted_themes_are_parsed_the_same)
{
	const struct theme *theme;

	for (size_t i = 0; (theme = theme_at(i)); i++) {
		struct str text = STR_INIT, again = STR_INIT;
		struct theme *copy;
		struct err err;
		size_t wrong;

		theme_format(theme, &text);
		copy = parse(text.data, &wrong, &err);
		ck_assert_msg(!wrong, "%s: %s", theme_name(theme), err.text);
		theme_format(copy, &again);
		ck_assert_str_eq(text.data, again.data);
		for (int r = 0; r < ROLE_COUNT; r++)
			for (size_t d = 0; d < COUNT(depths); d++)
				ck_assert(same(theme_style(theme, r, depths[d]),
					       theme_style(copy, r, depths[d])));
		theme_free(copy);
		str_release(&text);
		str_release(&again);
	}
}
END_TEST

START_TEST(unnamed_roles_stay_unchanged)
{
	struct err err;
	size_t wrong;
	struct theme *theme = parse("# mine\n\nfrom = light\n"
				    "error = bright-red on 236 bold underline # why not\n"
				    "name=#ff5f5f / blue / italic\n"
				    "key = bold\n",
				    &wrong, &err);
	const struct theme *light = theme_find("light");

	ck_assert_msg(!wrong, "%s", err.text);
	ck_assert_str_eq(theme_name(theme), "mine");
	ck_assert(same(theme_style(theme, ROLE_ERROR, 256),
		       (struct style){ 9, 236, STYLE_BOLD | STYLE_UNDERLINE }));
	/* Of the sixteen colours, black is nearest to 236. */
	ck_assert_int_eq(theme_style(theme, ROLE_ERROR, 16).bg, 0);
	ck_assert_int_eq(theme_style(theme, ROLE_ERROR, 16).fg, 9);
	ck_assert_int_eq(theme_style(theme, ROLE_ERROR, 8).fg, 1);
	ck_assert(same(theme_style(theme, ROLE_ERROR, 0), theme_style(light, ROLE_ERROR, 0)));
	ck_assert_int_eq(theme_style(theme, ROLE_NAME, 256).fg, 203);
	ck_assert_int_eq(theme_style(theme, ROLE_NAME, 16).fg, 4);
	ck_assert_int_eq(theme_style(theme, ROLE_NAME, 0).attrs, STYLE_ITALIC);
	ck_assert(same(theme_style(theme, ROLE_KEY, 256),
		       (struct style){ COLOR_DEFAULT, COLOR_DEFAULT, STYLE_BOLD }));
	for (int r = 0; r < ROLE_COUNT; r++)
		if (r != ROLE_ERROR && r != ROLE_NAME && r != ROLE_KEY)
			ck_assert(same(theme_style(theme, r, 256), theme_style(light, r, 256)));
	theme_free(theme);
}
END_TEST

START_TEST(a_theme_of_16_colours_can_have_more)
{
	struct err err;
	size_t wrong;
	struct theme *theme = parse("from = 16\nerror = 203\n", &wrong, &err);

	ck_assert_int_eq(theme_style(theme, ROLE_ERROR, 256).fg, 203);
	ck_assert(same(theme_style(theme, ROLE_SLOW, 256),
		       theme_style(theme_find("16"), ROLE_SLOW, 256)));
	theme_free(theme);
}
END_TEST

static const struct {
	const char *text, *err;
} mistakes[] = {
	{ "error = rde\n", "file:1: neither a colour nor an attribute: \"rde\"" },
	{ "eror = red\n", "file:1: unknown role \"eror\" (nearest: error)" },
	{ "\nfrom = dusk\n", "file:2: unknown theme \"dusk\" (nearest: dark)" },
	{ "name = red\nfrom = light\n", "file:2: \"from\" must be the first line" },
	{ "error red\n", "file:1: missing =" },
	{ "error = 256\n", "file:1: neither a colour nor an attribute: \"256\"" },
	{ "error = #12345\n", "file:1: neither a colour nor an attribute: \"#12345\"" },
	{ "error = red blue\n", "file:1: more than one colour: \"blue\"" },
	{ "error = on\n", "file:1: no colour after \"on\": \"on\"" },
	{ "error = red on red on blue\n", "file:1: more than one background: \"on\"" },
	{ "error =\n", "file:1: no look after the =" },
	{ "error = # nothing\n", "file:1: no look after the =" },
	{ "error = red / red / bold / dim\n", "file:1: more than three looks" },
	{ "error = red / red / red\n", "file:1: the third look must not have colours" },
	{ "error = \033[31m\n", "file:1: bytes that are not text" },
	{ "a = 1\nb = 2\nc = 3\n", "file:1: unknown role \"a\" (and 2 more)" },
};

START_TEST(valid_lines_of_a_wrong_theme_apply)
{
	struct str text = STR_INIT;
	struct theme *theme;
	struct err err;
	size_t wrong;

	str_addf(&text, "%sslow = bright-blue\n", mistakes[_i].text);
	theme = parse(text.data, &wrong, &err);
	ck_assert_uint_gt(wrong, 0);
	ck_assert_msg(!strncmp(err.text, mistakes[_i].err, strlen(mistakes[_i].err)), "%s",
		      err.text);
	ck_assert_int_eq(theme_style(theme, ROLE_SLOW, 256).fg, 12);
	ck_assert(same(theme_style(theme, ROLE_ERROR, 256),
		       theme_style(theme_default(), ROLE_ERROR, 256)));
	theme_free(theme);
	str_release(&text);
}
END_TEST

/* ---- fewer colours ---- */

START_TEST(fitted_text_is_readable)
{
	for (int fg = 0; fg < 256; fg++)
		for (int bg = 0; bg < 256; bg++) {
			struct style asked = { (int16_t)fg, (int16_t)bg, 0 };
			struct style eight = style_fit(asked, 8), sixteen = style_fit(asked, 16);

			ck_assert_int_lt(eight.fg, 8);
			ck_assert_int_lt(eight.bg, 8);
			ck_assert_int_lt(sixteen.fg, 16);
			ck_assert_int_lt(sixteen.bg, 16);
			if (color_contrast(color_rgb(fg), color_rgb(bg)) < 4.5)
				continue;
			ck_assert_msg(sixteen.fg != sixteen.bg && eight.fg != eight.bg,
				      "%d on %d cannot be read with fewer colours", fg, bg);
		}
}
END_TEST

START_TEST(formatted_colours_are_parsed_the_same)
{
	for (int color = COLOR_DEFAULT; color < 256; color++) {
		struct str text = STR_INIT;
		int again = 1000;

		color_format(color, &text);
		ck_assert(color_parse(text.data, &again));
		ck_assert_int_eq(again, color);
		str_release(&text);
		if (color >= 16)
			ck_assert_int_eq(color_nearest(color_rgb(color), 256) >= 16, 1);
	}
}
END_TEST

static void assert_entry(const struct str *manual, const char *name, const char *help)
{
	struct str entry = STR_INIT;

	str_addf(&entry, ".It Cm %s\n%s\n", name, help);
	ck_assert_msg(strstr(manual->data, entry.data), "not in the manual:\n%s", entry.data);
	str_release(&entry);
}

/* man/stxtop-theme.5 lists every role and every theme, with the texts of the program. */
START_TEST(the_manual_lists_all_roles_and_themes)
{
	struct str manual = STR_INIT;
	FILE *file = fopen("man/stxtop-theme.5", "r");
	char bytes[4096];
	size_t count;

	ck_assert_ptr_nonnull(file);
	while ((count = fread(bytes, 1, sizeof(bytes), file)))
		str_addn(&manual, bytes, count);
	fclose(file);
	for (int r = 0; r < ROLE_COUNT; r++)
		assert_entry(&manual, role_name(r), role_help(r));
	for (size_t i = 0; theme_at(i); i++)
		assert_entry(&manual, theme_name(theme_at(i)), theme_help(theme_at(i)));
	str_release(&manual);
}
END_TEST

Suite *suite_theme(void);

Suite *suite_theme(void)
{
	Suite *suite = suite_create("theme");
	TCase *tcase = tcase_create("theme");

	tcase_add_test(tcase, colours_exist_on_the_terminal);
	tcase_add_loop_test(tcase, roles_in_one_place_look_different, 0, COUNT(groups));
	tcase_add_test(tcase, heat_levels_rise_in_contrast);
	tcase_add_loop_test(tcase, text_is_readable, 0, COUNT(grounds));
	tcase_add_test(tcase, contrast_is_that_of_wcag);
	tcase_add_loop_test(tcase, backgrounds_are_guessed, 0, COUNT(guesses));
	tcase_add_test(tcase, formatted_themes_are_parsed_the_same);
	tcase_add_test(tcase, unnamed_roles_stay_unchanged);
	tcase_add_test(tcase, a_theme_of_16_colours_can_have_more);
	tcase_add_loop_test(tcase, valid_lines_of_a_wrong_theme_apply, 0, COUNT(mistakes));
	tcase_add_test(tcase, fitted_text_is_readable);
	tcase_add_test(tcase, formatted_colours_are_parsed_the_same);
	tcase_add_test(tcase, the_manual_lists_all_roles_and_themes);
	suite_add_tcase(suite, tcase);
	return suite;
}
