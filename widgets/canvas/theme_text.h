/*
 * theme_text - a theme as text: an editable list of roles.
 *
 *	# as dark, except for the names
 *	from = dark
 *	name = bright-white bold
 *	error = #ff5f5f on default bold / bright-red bold / bold underline
 *
 * Each line is ROLE = LOOK. # begins a comment if a blank or the end of the line follows. A look
 * consists of a foreground colour (color_parse()), "on" with a background colour, and attributes
 * (bold, underline, reverse, dim, italic), in any order; an omitted colour is the default of the
 * terminal. A / precedes the look for 16 colours; without it, the nearest look is derived. A
 * second / precedes the attributes for terminals without colour; without it, the attributes of the
 * base theme apply. The base theme is dark, or the THEME of a first line `from = THEME`. UI thread
 * only.
 */
#ifndef CANVAS_THEME_TEXT_H
#define CANVAS_THEME_TEXT_H

#include "engine/base/err.h"
#include "engine/base/str.h"
#include "widgets/canvas/theme.h"

/*
 * Create the theme that the text describes; the caller frees it. Always succeeds: an invalid line
 * leaves its role unchanged. *err then holds FILE:LINE: and the reason for the first invalid line,
 * and the number of further ones. Return the number of invalid lines; 0: *err is unchanged.
 */
size_t theme_parse(struct theme **theme, const char *name, const char *file, const char *text,
		   size_t len, struct err *err);

/* Append all roles of a theme in the form that theme_parse() reads. */
void theme_format(const struct theme *theme, struct str *out);

#endif
