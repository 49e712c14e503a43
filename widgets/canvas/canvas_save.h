/*
 * canvas_save - writes the content of a canvas in a form for files.
 *
 * The text form has one line per row, without trailing blanks. The ANSI form adds the colours of a
 * theme as escape sequences (ECMA-48 SGR, with the 256 colours of ISO 8613-6). Each row begins and
 * ends with default attributes, so that rows can be cut out. Any thread.
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
