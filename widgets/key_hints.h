/*
 * key_hints - which keys may follow those that were pressed, in columns above the bottom line.
 * UI thread only.
 */
#ifndef WIDGETS_KEY_HINTS_H
#define WIDGETS_KEY_HINTS_H

#include "widgets/canvas/canvas.h"
#include "widgets/terminal/keystrokes.h"

#define KEY_HINTS_MAX 100

struct key_hint {
	char keys[KEYSTROKES_BYTES]; /* what is still to be pressed */
	const char *text; /* what it does; borrowed */
};

/* Rows that all of them take on a canvas of so many columns, title included. */
int key_hints_rows(const struct key_hint *hints, size_t count, int cols);
/* On the whole canvas; those that do not fit are left out, which the title says. */
void key_hints_draw(struct canvas *canvas, const char *title, const struct key_hint *hints,
		    size_t count);

#endif
