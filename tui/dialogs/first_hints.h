/*
 * first_hints - a line for new users with the keys of this view.
 *
 * The line is shown above the function bar until the user presses one of its keys or hides it.
 * After that it never appears again; the settings store this. UI thread only.
 */
#ifndef DIALOGS_FIRST_HINTS_H
#define DIALOGS_FIRST_HINTS_H

#include "tui/config/bindings.h"
#include "widgets/canvas/canvas.h"

#include <stdbool.h>

struct first_hints {
	bool on; /* set by the caller at startup */
	bool demo; /* set by the caller: show the demo guide instead, which stays visible */
};

/* True if a line is to be shown and the screen has room for it. */
bool first_hints_are_shown(const struct first_hints *hints, int rows);
/* Append the hints with their current keys. view: the action that shows the view. */
void first_hints_text(const struct bindings *bindings, enum action view, struct str *out);
void first_hints_draw(const struct first_hints *hints, const struct bindings *bindings,
		      enum action view, struct canvas *canvas, int row);
/* Process an action of the user. True: its only effect was to hide the line. */
bool first_hints_take(struct first_hints *hints, enum action action);

#endif
