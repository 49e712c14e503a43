/*
 * picture - a terminal's screen as text, the format of the saved screen files.
 *
 *	1. The size, and the position of a visible cursor.
 *	2. The characters, one line per row without trailing blanks.
 *	3. The looks (colours and attributes), one line per row, as runs of cells: "a12 .3 b4" is
 *	   12 cells of look a, 3 of the default look, 4 of look b. A trailing default run is left
 *	   out; "=" repeats the row above.
 *	4. The meaning of each letter. Letters are given in order of appearance: equal screens
 *	   give equal text, and a change of a theme's colours changes only these lines.
 */
#ifndef SCREENS_PICTURE_H
#define SCREENS_PICTURE_H

#include "engine/base/str.h"
#include "tests/screens/terminal.h"

void picture_text(const struct terminal *terminal, struct str *out); /* characters only */
void picture_whole(const struct terminal *terminal, struct str *out);
/* Append the lines that differ, wanted above found. */
void picture_difference(const char *wanted, const char *found, struct str *out);
void picture_svg(const struct terminal *terminal, struct str *out);

#endif
