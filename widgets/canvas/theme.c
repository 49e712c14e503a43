#include "widgets/canvas/theme.h"

#include "engine/base/mem.h"
#include "widgets/canvas/theme_private.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MANY 256
#define SIXTEEN 16
#define EIGHT 8
/* Minimum contrast of converted foreground and background, as in WCAG 2.1 for large text. */
#define READABLE 3.0

struct theme {
	char name[THEME_NAME_BYTES];
	const char *help;
	const struct look *looks; /* of a built-in theme, or .own */
	int max_colors; /* maximum number of colours used, even if the terminal has more */
	struct look *own;
};

static const struct theme themes[] = {
	{ "dark", "colours for a dark background", theme_dark_looks, MANY, NULL },
	{ "light", "colours for a light background", theme_light_looks, MANY, NULL },
	{ "16", "only the 16 colours of the terminal's palette", theme_dark_looks, SIXTEEN, NULL },
	{ "mono", "no colours: bold, underlined, reversed", theme_dark_looks, 0, NULL },
	{ "high-contrast", "bright on black, whatever the terminal's colours",
	  theme_high_contrast_looks, MANY, NULL },
};

#define THEME_COUNT (sizeof(themes) / sizeof(themes[0]))

const struct theme *theme_default(void)
{
	return &themes[0];
}

const struct theme *theme_at(size_t index)
{
	return index < THEME_COUNT ? &themes[index] : NULL;
}

const struct theme *theme_find(const char *name)
{
	for (size_t i = 0; i < THEME_COUNT; i++)
		if (!strcmp(themes[i].name, name))
			return &themes[i];
	return NULL;
}

const char *theme_name(const struct theme *theme)
{
	return theme->name;
}

const char *theme_help(const struct theme *theme)
{
	return theme->help;
}

/* The background is the last field; rxvt can put a picture field before it ("0;default;15"). */
const struct theme *theme_guess(const char *colorfgbg)
{
	const char *last = colorfgbg ? strrchr(colorfgbg, ';') : NULL;
	int color;

	/* The light backgrounds, as in vim: 7 and the bright colours except grey. */
	if (last && isdigit((unsigned char)last[1]) && color_parse(last + 1, &color) &&
	    color < SIXTEEN && (color == 7 || color > 8))
		return theme_find("light");
	return theme_default();
}

/* ---- modifiable themes ---- */

struct theme *theme_new(const struct theme *base, const char *name, const char *help)
{
	struct theme *theme = mem_zalloc(1, sizeof(*theme));

	snprintf(theme->name, sizeof(theme->name), "%s", name);
	theme->help = help;
	theme->max_colors = MANY;
	theme->own = mem_zalloc(ROLE_COUNT, sizeof(*theme->own));
	theme->looks = theme->own;
	for (int role = 0; role < ROLE_COUNT; role++)
		theme->own[role] = theme_look(base, (enum role)role);
	return theme;
}

void theme_free(struct theme *theme)
{
	if (!theme)
		return;
	free(theme->own);
	free(theme);
}

void theme_set_look(struct theme *theme, enum role role, const struct look *look)
{
	theme->own[role] = *look;
}

/* ---- looks and styles ---- */

struct look theme_look(const struct theme *theme, enum role role)
{
	struct look look = theme->looks[(unsigned int)role < ROLE_COUNT ? role : ROLE_TEXT];

	if (!theme->max_colors)
		look.sixteen = (struct style){ COLOR_DEFAULT, COLOR_DEFAULT, look.none };
	if (theme->max_colors < MANY)
		look.many = look.sixteen;
	return look;
}

struct style theme_style(const struct theme *theme, enum role role, int colors)
{
	struct look look = theme_look(theme, role);

	if (colors >= MANY)
		return look.many;
	if (colors >= SIXTEEN)
		return look.sixteen;
	if (colors >= EIGHT)
		return style_fit(look.sixteen, EIGHT);
	return (struct style){ COLOR_DEFAULT, COLOR_DEFAULT, look.none };
}

static bool is_readable(struct style style)
{
	return style.fg == COLOR_DEFAULT || style.bg == COLOR_DEFAULT ||
	       color_contrast(color_rgb(style.fg), color_rgb(style.bg)) >= READABLE;
}

/* Replace bright colours by bold ones, as on the first colour terminals. */
static struct style fit_eight(struct style style)
{
	if (style.fg == EIGHT) {
		style.fg = COLOR_DEFAULT;
		style.attrs |= STYLE_DIM;
	} else if (style.fg > EIGHT) {
		style.fg -= EIGHT;
		style.attrs |= STYLE_BOLD;
	}
	if (style.bg >= EIGHT)
		style.bg -= EIGHT;
	/* Bold black is dark grey, which is unreadable. */
	if (!style.fg)
		style.attrs &= (uint8_t)~STYLE_BOLD;
	return style;
}

struct style style_fit(struct style style, int colors)
{
	struct style asked = style;

	if (style.fg >= SIXTEEN && colors < MANY)
		style.fg = (int16_t)color_nearest(color_rgb(style.fg), SIXTEEN);
	if (style.bg >= SIXTEEN && colors < MANY)
		style.bg = (int16_t)color_nearest(color_rgb(style.bg), SIXTEEN);
	if (colors < SIXTEEN)
		style = fit_eight(style);
	if (!is_readable(style) && is_readable(asked))
		style.fg = color_contrast(color_rgb(0), color_rgb(style.bg)) >= READABLE ? 0 : 7;
	return style;
}
