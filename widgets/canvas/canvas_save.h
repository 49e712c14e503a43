/*
 * canvas_save - what is drawn on a canvas, for a file.
 *
 * As text, a line for each row without blanks at its end; or with the colours of a theme as
 * escape sequences (ECMA-48 SGR, with the 256 colours of ISO 8613-6), which each row begins and
 * ends without, so that rows can be cut out. Any thread.
 */
#ifndef CANVAS_CANVAS_SAVE_H
#define CANVAS_CANVAS_SAVE_H

#include "widgets/canvas/canvas.h"
#include "widgets/canvas/theme.h"

void canvas_save_text(const struct canvas *canvas, struct str *out);
/* colors: 256, 16, 8 or 0. */
void canvas_save_ansi(const struct canvas *canvas, const struct theme *theme, int colors,
		      struct str *out);

#endif
