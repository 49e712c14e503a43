/*
 * picture - a terminal's screen as text: what a saved screen file holds.
 *
 * First the characters, a line per row between bars; then a plane of the same
 * shape where every cell's look is a letter; then what each letter means. Looks are
 * lettered in the order in which they appear, so equal screens give equal text.
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
