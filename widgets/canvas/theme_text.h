/*
 * theme_text - a theme as text: a list of roles that people edit.
 *
 *	# night, but for the names
 *	from = dark
 *	name = bright-white bold
 *	error = #ff5f5f on default bold / bright-red bold / bold underline
 *
 * A line each, ROLE = LOOK; # begins a remark where a blank or the end follows. A look is a
 * colour (color_parse()), "on" and another one behind the text, and attributes (bold,
 * underline, reverse, dim, italic), in any order; what is left out is the terminal's own. Behind
 * a / is the look with sixteen colours, otherwise the nearest one; behind another / the
 * attributes that stand for it without colour, otherwise those of the theme that it begins
 * from: dark, or what a first line `from = THEME` names. UI thread only.
 */
#ifndef CANVAS_THEME_TEXT_H
#define CANVAS_THEME_TEXT_H

#include "engine/base/err.h"
#include "engine/base/str.h"
#include "widgets/canvas/theme.h"

/*
 * The theme of that name that the text describes; who calls frees it. Never fails: what is
 * wrong is left as it was, and *err says FILE:LINE: and what of the first such line, and how
 * many more there are. Returns how many there are; 0: *err is as it was.
 */
size_t theme_parse(struct theme **theme, const char *name, const char *file, const char *text,
		   size_t len, struct err *err);

/* All roles of a theme so that theme_parse() makes the same of them; appended. */
void theme_format(const struct theme *theme, struct str *out);

#endif
