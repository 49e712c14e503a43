/*
 * theme - what roles look like on terminals of 256, 16, 8 or no colours.
 *
 * Colours are numbers of the terminal's palette (color.h); COLOR_DEFAULT is the terminal's
 * own foreground or background, which all but the theme of high contrast keep wherever they
 * can. Without colour every role that carries meaning differs by attributes. Built-in themes
 * are constant: any thread. Others belong to who makes them.
 */
#ifndef CANVAS_THEME_H
#define CANVAS_THEME_H

#include "widgets/canvas/color.h"
#include "widgets/canvas/role.h"

#include <stddef.h>
#include <stdint.h>

#define THEME_NAME_BYTES 64

enum style_attr {
	STYLE_BOLD = 1 << 0,
	STYLE_UNDERLINE = 1 << 1,
	STYLE_REVERSE = 1 << 2,
	STYLE_DIM = 1 << 3,
	STYLE_ITALIC = 1 << 4,
};

struct style {
	int16_t fg, bg;
	uint8_t attrs; /* enum style_attr */
};

/* A role by how many colours there are. */
struct look {
	struct style many; /* 256 */
	struct style sixteen; /* 16; made of it for 8: see style_fit() */
	uint8_t none; /* attributes that stand for the role without colour */
};

struct theme;

const struct theme *theme_default(void); /* "dark" */
const struct theme *theme_find(const char *name); /* NULL: no such theme */
const struct theme *theme_at(size_t index); /* NULL: past the last */
const char *theme_name(const struct theme *theme);
const char *theme_help(const struct theme *theme);
/*
 * The theme for a background that COLORFGBG tells ("15;0", as rxvt, Konsole and others set
 * it): light or dark; NULL, or what tells nothing: theme_default().
 */
const struct theme *theme_guess(const char *colorfgbg);

/* A copy to be changed, under another name. */
struct theme *theme_new(const struct theme *base, const char *name, const char *help);
void theme_free(struct theme *theme);
void theme_set_look(struct theme *theme, enum role role, const struct look *look);

struct look theme_look(const struct theme *theme, enum role role);
/* How role looks on a terminal of that many colours; 0: none. */
struct style theme_style(const struct theme *theme, enum role role, int colors);

/* The nearest that a terminal of 16 or 8 colours can do, and that can still be read. */
struct style style_fit(struct style style, int colors);

#endif
