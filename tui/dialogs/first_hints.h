/*
 * first_hints - a line for who is new here: what may be pressed in this view.
 *
 * It stands above the names of the function keys until one of its keys was pressed, or it was
 * sent away, and then never again: that is for the settings to keep. UI thread only.
 */
#ifndef DIALOGS_FIRST_HINTS_H
#define DIALOGS_FIRST_HINTS_H

#include "tui/config/bindings.h"
#include "widgets/canvas/canvas.h"

#include <stdbool.h>

struct first_hints {
	bool on; /* set by the caller at the start */
	bool demo; /* the same: what is to be seen in the demo instead, which stays */
};

/* Whether there is a line, and room for it. */
bool first_hints_are_shown(const struct first_hints *hints, int rows);
/* What may be pressed, with the keys in force; view: the action that shows it. */
void first_hints_text(const struct bindings *bindings, enum action view, struct str *out);
void first_hints_draw(const struct first_hints *hints, const struct bindings *bindings,
		      enum action view, struct canvas *canvas, int row);
/* A person did that; true: it was only to send the line away. */
bool first_hints_take(struct first_hints *hints, enum action action);

#endif
