/*
 * color - the colours of the terminal palette, by number.
 *
 * The user configures colours 0 to 7 and their bright variants 8 to 15 in the terminal; the values
 * here are xterm's defaults (XTerm-col.ad). 16 to 231 are a 6×6×6 cube, 232 to 255 greys, the same
 * on all terminals with 256 colours. Constant tables; any thread.
 */
#ifndef CANVAS_COLOR_H
#define CANVAS_COLOR_H

#include "engine/base/str.h"

#include <stdbool.h>
#include <stdint.h>

#define COLOR_DEFAULT (-1) /* default foreground or background of the terminal */

struct color_rgb {
	uint8_t red, green, blue;
};

struct color_rgb color_rgb(int color); /* 0..255 */

/* Return the colour nearest to rgb: with 256 colours one of 16 to 255, else one of the first 16. */
int color_nearest(struct color_rgb rgb, int colors);

/* Return the contrast ratio of WCAG 2.1: from 1 (equal colours) to 21 (black on white). */
double color_contrast(struct color_rgb one, struct color_rgb other);

/* Parse "default", "red", "bright-red", 0 to 255 or #rrggbb. False: not a colour. */
bool color_parse(const char *word, int *color);
void color_format(int color, struct str *out); /* append the form that color_parse() reads */

#endif
