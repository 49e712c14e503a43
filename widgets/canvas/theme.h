/*
 * theme - the appearance of roles on terminals with 256, 16, 8 or no colours.
 *
 * Colours are numbers of the terminal palette (color.h). COLOR_DEFAULT is the default foreground or
 * background of the terminal; all themes except high contrast use it where possible. Without
 * colour, attributes distinguish every role with a meaning. Built-in themes are constant: any
 * thread. A theme of theme_new() belongs to its creator.
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

/* The look of a role, by number of colours. */
struct look {
	struct style many; /* for 256 colours */
	struct style sixteen; /* for 16 colours; style_fit() derives the style for 8 */
	uint8_t none; /* attributes without colour */
};

struct theme;

const struct theme *theme_default(void); /* "dark" */
const struct theme *theme_find(const char *name); /* NULL: unknown */
const struct theme *theme_at(size_t index); /* NULL: past the last */
const char *theme_name(const struct theme *theme);
const char *theme_help(const struct theme *theme);
/*
 * Return the theme for the background in COLORFGBG ("15;0", set by rxvt, Konsole and other
 * terminals): light or dark. NULL or an unusable value: theme_default().
 */
const struct theme *theme_guess(const char *colorfgbg);

/* Create a modifiable copy under another name. `help` is borrowed. */
struct theme *theme_new(const struct theme *base, const char *name, const char *help);
void theme_free(struct theme *theme);
void theme_set_look(struct theme *theme, enum role role, const struct look *look);

struct look theme_look(const struct theme *theme, enum role role);
/* Return the style of role on a terminal with that many colours; 0: none. */
struct style theme_style(const struct theme *theme, enum role role, int colors);

/* Return the nearest readable style that a terminal with 16 or 8 colours can show. */
struct style style_fit(struct style style, int colors);

#endif
