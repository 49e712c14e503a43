/*
 * theme - what roles look like on terminals of 256, 8 or no colours.
 * Constant tables; any thread. Colours are numbers of the terminal's palette, THEME_DEFAULT
 * is the terminal's own foreground or background, which the dark and light themes keep
 * wherever they can. Without colour every role that carries meaning differs by attributes.
 */
#ifndef WIDGETS_THEME_H
#define WIDGETS_THEME_H

#include "widgets/role.h"

#include <stddef.h>
#include <stdint.h>

#define THEME_DEFAULT (-1)

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

struct theme;

const struct theme *theme_default(void);          /* "dark" */
const struct theme *theme_find(const char *name); /* NULL: no such theme */
const struct theme *theme_at(size_t index);       /* NULL: past the last */
const char *theme_name(const struct theme *theme);

/* How role looks on a terminal of that many colours (0: none; below 256 uses 0..7 only). */
struct style theme_style(const struct theme *theme, enum role role, int colors);

#endif
