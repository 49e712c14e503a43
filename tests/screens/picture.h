/*
 * picture - a terminal's screen as text: what a saved screen file holds.
 *
 * First the size, and the place of a cursor that is shown; then the characters, a line per row
 * without the blanks at its end; then a line per row that has the looks of its cells as runs:
 * "a12 .3 b4" is twelve cells that look like a, three that look like nothing special, and four
 * like b. A last run of nothing special is left out, "=" is as the row above. Last, what each
 * letter means. Looks are lettered in the order in which they appear, so equal screens give
 * equal text, and a theme's other colours change the last lines only.
 */
#ifndef SCREENS_PICTURE_H
#define SCREENS_PICTURE_H

#include "engine/base/str.h"
#include "tests/screens/terminal.h"

void picture_text(const struct terminal *terminal, struct str *out); /* characters only */
void picture_whole(const struct terminal *terminal, struct str *out);
/* The lines of two pictures that differ, wanted above found. */
void picture_difference(const char *wanted, const char *found, struct str *out);
/* The screen drawn as SVG. */
void picture_svg(const struct terminal *terminal, struct str *out);

#endif
