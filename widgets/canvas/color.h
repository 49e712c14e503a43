/*
 * color - the colours of a terminal's palette, by number.
 *
 * 0 to 7 and their bright halves 8 to 15 are whatever the terminal's owner made them; what is
 * said of them here is xterm's default (XTerm-col.ad). 16 to 231 are a cube of 6×6×6, 232 to
 * 255 greys, the same on all terminals of 256 colours. Constant tables; any thread.
 */
#ifndef CANVAS_COLOR_H
#define CANVAS_COLOR_H

#include "engine/base/str.h"

#include <stdbool.h>
#include <stdint.h>

#define COLOR_DEFAULT (-1) /* the terminal's own foreground or background */

struct color_rgb {
	uint8_t red, green, blue;
};

struct color_rgb color_rgb(int color); /* 0..255 */

/* The colour that looks most like rgb: of the first 16, or of those that look alike anywhere. */
int color_nearest(struct color_rgb rgb, int colors);

/* From 1, the same, to 21, black on white: WCAG 2.1, contrast ratio. */
double color_contrast(struct color_rgb one, struct color_rgb other);

/* "default", "red", "bright-red", 0 to 255 or #rrggbb; false: it is no colour. */
bool color_parse(const char *word, int *color);
void color_format(int color, struct str *out); /* what color_parse() takes, appended */

#endif
