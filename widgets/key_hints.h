/*
 * key_hints - lists the keys that can follow the keys pressed so far, in columns above the bottom
 * line. UI thread only.
 */
#ifndef WIDGETS_KEY_HINTS_H
#define WIDGETS_KEY_HINTS_H

#include "widgets/canvas/canvas.h"
#include "widgets/terminal/keystrokes.h"

#define KEY_HINTS_MAX 100

struct key_hint {
	char keys[KEYSTROKES_BYTES]; /* the remaining keys of the sequence */
	const char *text; /* effect of the sequence; borrowed */
};

/* Return the rows that all hints take on a canvas of cols columns, including the title. */
int key_hints_rows(const struct key_hint *hints, size_t count, int cols);
/* Fill the whole canvas. Hints that do not fit are omitted; the title shows their number. */
void key_hints_draw(struct canvas *canvas, const char *title, const struct key_hint *hints,
		    size_t count);

#endif
